/** The requests of an engine, and the answers of the reference client: one for each request, within its turn (KODA-58). */
import type { EngineCommand } from '../messages.ts';
import type { ClientOptions, ClientStep, OpenRequest } from './state.ts';

/** The most requests of a turn that are remembered. */
const maxAsked = 1024;

/** Takes a request: a person is asked, or the answer of the options is sent. A repeated request is no new one. */
export function takeRequest(step: ClientStep, request: OpenRequest): void {
  const { asked, open, options } = step.work;
  if (isRepeated(asked, request)) return step.tell('repeated', questionOf(request));
  if (open.length >= maxAsked) return step.tell('dropped', 'too many requests are open');
  open.push(request);
  if (options.interactive) step.tell('asked', questionOf(request));
  else answerOpen(step);
}

/** Answers the open requests by the options; not while the carrier is full, because then the engine does not read. */
export function answerOpen(step: ClientStep): void {
  const { open, options } = step.work;
  if (options.interactive || step.link.full) return;
  for (const request of open.splice(0)) step.send(answerOf(options, request));
}

/** Whether a request with the same id came before in the turn. Caps have no id: each is a new request. */
function isRepeated(asked: Set<string>, request: OpenRequest): boolean {
  if (request.type === 'loop_cap_reached') return false;
  const key = `${request.type} ${request.id}`;
  if (asked.has(key)) return true;
  asked.add(key);
  const [oldest] = asked;
  if (asked.size > maxAsked && oldest !== undefined) asked.delete(oldest);
  return false;
}

function answerOf({ approval, answer, cap }: ClientOptions, request: OpenRequest): EngineCommand {
  switch (request.type) {
    case 'approval_request': {
      const decision =
        typeof approval === 'string'
          ? ({ decision: approval } as const)
          : ({ decision: 'reject_with_feedback', feedback: approval.feedback } as const);
      return { type: 'approval_response', id: request.id, decision };
    }
    case 'ask_user_request':
      return { type: 'ask_user_response', id: request.id, answer: answer ?? request.options[0] ?? '' };
    case 'loop_cap_reached':
      return { type: 'loop_decision', action: cap };
    default:
      return request satisfies never;
  }
}

/** A request in words for a person, with the answers that it takes. */
export function questionOf(request: OpenRequest): string {
  switch (request.type) {
    case 'approval_request':
      return `${request.tool_name}: ${request.detail} (y, n, or the reason of a rejection)`;
    case 'ask_user_request': {
      const options = request.options.map((option, i) => `${i + 1}: ${option}`).join(', ');
      return `${request.question} (${options === '' ? 'a text, or a blank' : options})`;
    }
    case 'loop_cap_reached':
      return `The engine has reached its cap of ${request.cap} (stop, 50 or 200)`;
    default:
      return request satisfies never;
  }
}

/** The answer of a person to a request; undefined for a text that answers no cap. */
export function personsAnswer(request: OpenRequest, text: string): EngineCommand | undefined {
  const word = text.trim();
  switch (request.type) {
    case 'approval_request':
      return { type: 'approval_response', id: request.id, decision: decisionOf(word) };
    case 'ask_user_request':
      return { type: 'ask_user_response', id: request.id, answer: optionOf(request.options, word) ?? text };
    case 'loop_cap_reached': {
      const action = actions.get(word);
      return action === undefined ? undefined : { type: 'loop_decision', action };
    }
    default:
      return request satisfies never;
  }
}

type Decision = Extract<EngineCommand, { type: 'approval_response' }>['decision'];

/** The words of a person that decide; any other text is a rejection with this feedback. */
const decisions: ReadonlyMap<string, Decision> = new Map([
  ['y', { decision: 'approve' }],
  ['yes', { decision: 'approve' }],
  ['n', { decision: 'reject' }],
  ['no', { decision: 'reject' }],
  ['', { decision: 'reject' }],
]);

const decisionOf = (word: string): Decision =>
  decisions.get(word.toLowerCase()) ?? { decision: 'reject_with_feedback', feedback: word };

/** The option of a number from 1. */
const optionOf = (options: readonly string[], word: string): string | undefined =>
  /^\d+$/u.test(word) ? options[Number(word) - 1] : undefined;

const actions: ReadonlyMap<string, ClientOptions['cap']> = new Map([
  ['stop', 'stop'],
  ['50', 'continue50'],
  ['200', 'continue200'],
]);
