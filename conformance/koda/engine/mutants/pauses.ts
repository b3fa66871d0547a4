/** Engines that do not wait for their client, or take the wrong command for its answer. */
import { answerTypes } from '../../shared/session.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import { allFaults, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { borrowsIds } from './approvals.ts';
import type { EngineFaults } from './mutant.ts';

/** The command that answers a request; undefined for other events. */
function answerTo(event: EngineEvent): EngineCommand | undefined {
  switch (event.type) {
    case 'approval_request':
      return { type: 'approval_response', id: event.id, decision: { decision: 'approve' } };
    case 'ask_user_request':
      return { type: 'ask_user_response', id: event.id, answer: 'SQLite' };
    case 'loop_cap_reached':
      return { type: 'loop_decision', action: 'continue200' };
    default:
      return undefined;
  }
}

/** Answers the requests of one type itself, at once. */
const answersItself = (type: EngineEvent['type']) => (): EngineFault =>
  onSend(type, (event, context) => {
    const answer = answerTo(event);
    if (answer !== undefined) context.tell(answer);
  });

/** Answers the requests of one type itself, a second later. */
const losesPatience = (type: EngineEvent['type']) => (): EngineFault =>
  onSend(type, (event, context) => {
    const answer = answerTo(event);
    if (answer !== undefined) context.later(1000, (then) => then.tell(answer));
  });

/** Asks about the first call of a tool alone, and approves the others itself. */
const remembersApprovals = (): EngineFault => {
  const asked = new Set<string>();
  return onSend('approval_request', (event, context) => {
    const answer = asked.has(event.tool_name) ? answerTo(event) : undefined;
    asked.add(event.tool_name);
    if (answer === undefined) return;
    context.tell(answer);
    return [];
  });
};

/** Takes some other commands for the answer to the open request. */
const mistakes = (isTaken: (command: EngineCommand, answer: EngineCommand) => boolean) => (): EngineFault => {
  let open: EngineCommand | undefined;
  return allFaults(
    onSend((event) => void (open = answerTo(event) ?? (event.type === 'turn_end' ? undefined : open))),
    onReceive((command) => {
      const answer = open;
      if (answer === undefined) return;
      const taken = isTaken(command, answer);
      if (taken || command.type === answer.type) open = undefined;
      return taken ? [answer] : undefined;
    }),
  );
};

const answers: ReadonlySet<string> = new Set(Object.values(answerTypes));

const isStranger = (command: EngineCommand, answer: EngineCommand): boolean =>
  command.type === answer.type && 'id' in command && 'id' in answer && command.id !== answer.id;

/** Whether a command answers another request than the open one, of one type. */
const isStrange =
  (type: EngineCommand['type']) =>
  (command: EngineCommand, answer: EngineCommand): boolean =>
    command.type === type && isStranger(command, answer);

const isOther = (command: EngineCommand, answer: EngineCommand): boolean =>
  command.type !== answer.type && answers.has(command.type);

/** Sends blank results after a blank answer. */
const blankResults = (): EngineFault => {
  let blank = false;
  return allFaults(
    onReceive('ask_user_response', ({ answer }) => void (blank = answer.trim() === '')),
    onSend('tool_call_result', (event) => {
      if (!blank) return;
      blank = false;
      return [{ ...event, output: '' }];
    }),
  );
};

/** Sends no result of a question: after a blank answer, or after another one. */
const noResult = (isDropped: (answer: string) => boolean) => (): EngineFault => {
  let dropped = false;
  return allFaults(
    onReceive('ask_user_response', ({ answer }) => void (dropped = isDropped(answer.trim()))),
    onSend('tool_call_result', ({ name }) => (dropped && name === 'AskUser' ? [] : undefined)),
  );
};

/** Asks once more, with a new id, at a slash command in a pause. */
const asksAgain = (): EngineFault => {
  let open: EngineEvent | undefined;
  return allFaults(
    onSend((event) => {
      if (event.type.endsWith('_request')) open = event;
      if (event.type === 'tool_call_result' || event.type === 'turn_end') open = undefined;
    }),
    onReceive('slash_command', (_, context) => {
      if (open !== undefined)
        context.send({ ...open, id: '0f8fad5b-d9cb-469f-a165-70867728950e' } as EngineEvent);
    }),
  );
};

/** Engines that go on a second after a request, without its answer. */
const impatient: EngineFaults = {
  'approves-after-a-second': losesPatience('approval_request'),
  'answers-after-a-second': losesPatience('ask_user_request'),
  'decides-after-a-second': losesPatience('loop_cap_reached'),
};

export const pauseFaults: EngineFaults = {
  ...impatient,
  'remembers-approvals': remembersApprovals,
  'runs-before-approval': answersItself('approval_request'),
  'any-approval': mistakes(isStrange('approval_response')),
  'one-approval-id': borrowsIds(() => '11111111-1111-4111-8111-111111111111'),
  'runs-rejected': () =>
    onReceive('approval_response', (command) => [{ ...command, decision: { decision: 'approve' } }]),
  'answers-itself': answersItself('ask_user_request'),
  'any-answer': mistakes(isStrange('ask_user_response')),
  'blank-results': blankResults,
  'ok-for-answers': () =>
    onSend('tool_call_result', (event) => [event.name === 'AskUser' ? { ...event, output: 'ok' } : event]),
  'goes-on-at-cap': answersItself('loop_cap_reached'),
  'any-command': mistakes(isOther),
  'no-result-of-blanks': noResult((answer) => answer === ''),
  'no-result-of-answers': noResult((answer) => answer !== ''),
  'asks-again': asksAgain,
  'slash-answers': mistakes(({ type }) => type === 'slash_command'),
  'prompt-answers': mistakes(({ type }) => type === 'user_prompt'),
  'newest-tools-first': () =>
    onSend('loop_cap_reached', (event) => [{ ...event, recent_tools: event.recent_tools.toReversed() }]),
  'no-recent-tools': () => onSend('loop_cap_reached', (event) => [{ ...event, recent_tools: [] }]),
  'cap-stays': () => {
    let first: number | undefined;
    return onSend('loop_cap_reached', (event) => [{ ...event, cap: (first ??= event.cap) }]);
  },
  'cap-by-50': () => {
    let cap: number | undefined;
    return onSend('loop_cap_reached', (event) => {
      cap = cap === undefined ? event.cap : cap + 50;
      return [{ ...event, cap }];
    });
  },
  'cap-of-one-step': () => {
    let n = 0;
    return onSend('loop_cap_reached', (event) => [n++ === 0 ? event : { ...event, cap: 50 }]);
  },
};
