/** What a turn does about a response, by its stop reason (TOK-01 to TOK-14, TOK-40, TOK-45, TOK-47, TOK-49). */
import { isObject } from '../../kit/base/index.ts';
import type {
  ProviderMessage,
  ProviderResponse,
  StopReason,
  ToolCall,
  ToolOutcome,
} from '../../kit/base/index.ts';
import { budgetWarnings } from '../manager/budget.ts';
import { compactAndSend, send } from './send.ts';
import { stop } from './state.ts';
import type { TurnStep } from './state.ts';
import { cancelledResult, repair } from '../manager/repair.ts';
import { isBlank } from '../manager/text.ts';
import { totalOf } from '../manager/usage.ts';

/** Retries after responses that lost a call, in one turn (TOK-49). */
export const MAX_CUTS = 2;

/** Reasons that an open call contradicts: something cut this response. */
const contradicted: readonly StopReason[] = ['end_turn', 'tool_use', 'stop_sequence', 'unknown'];

/** Takes a response in. */
export function respond(step: TurnStep, response: ProviderResponse, word: string | undefined): void {
  const { state, actions, config } = step;
  const { stopReason, usage } = response.metadata;
  state.attempts = 0;
  if (usage !== undefined) {
    state.used += totalOf(usage);
    for (const warning of budgetWarnings(config, state.used)) actions.push({ do: 'warn', ...warning });
  }
  if (stopReason === 'unknown')
    actions.push({ do: 'warn', code: 'unknown-stop-reason', ...(word === undefined ? {} : { word }) });
  const isCut = response.open !== undefined && contradicted.includes(stopReason);
  const reason = isCut ? 'max_tokens' : stopReason;
  if (reason === 'max_tokens') return cut(step, response);
  if (reason === 'tool_use' && response.toolCalls.length > 0) return runTools(step, response);
  if (reason === 'context_window' && compactAndSend(step)) return;
  append(step, withoutOpen(response), '');
  stop(step, reason);
}

/** A call that was open never goes on, whatever ended the response (TOK-47). */
const withoutOpen = (response: ProviderResponse): ProviderResponse => ({
  ...response,
  toolCalls: response.toolCalls.filter(({ id }) => id !== response.open?.id),
});

/** The output limit: what is complete stays, and a call that was lost is asked for again, differently (TOK-49). */
function cut(step: TurnStep, cutResponse: ProviderResponse): void {
  const { state, actions, handler } = step;
  const { response, warnings } = handler.handle(cutResponse, 'max_tokens');
  for (const warning of warnings) actions.push({ do: 'warn', ...warning });
  const survivors = new Set(response.toolCalls);
  const lost = cutResponse.toolCalls.filter((call) => !survivors.has(call)).map(({ name }) => name);
  if (lost.length === 0 && response.open !== undefined) lost.push(response.open.name);
  const goesOn = lost.length > 0 && state.cuts < MAX_CUTS;
  append(step, response, goesOn ? noteOf(lost) : '');
  if (!goesOn) return stop(step, 'max_tokens');
  state.cuts++;
  state.phase = 'waiting';
  actions.push({ do: 'retry', delay: 0, code: 'dropped' });
}

const noteOf = (lost: readonly string[]): string =>
  `Your last message reached the output limit, and was cut within a tool call (${[...new Set(lost)].slice(0, 5).join(', ')}). ` +
  'That call did not run. Make it again in smaller pieces, with one call a message.';

const placeholder = '(The output limit cut this message.)';

/**
 * Puts a response at the end of the conversation, its calls answered as cancelled, and a note to the model behind it. A
 * note needs something of the assistant's to stand behind.
 */
function append(step: TurnStep, { content, toolCalls }: ProviderResponse, note: string): void {
  const text = isBlank(content) && toolCalls.length === 0 && note !== '' ? placeholder : content;
  settle(
    step,
    { role: 'assistant', content: text, toolCalls },
    toolCalls.map(({ id }) => cancelledResult(id)),
    note,
  );
}

/** Puts a message of the assistant with the results of its calls at the end of the conversation. */
function settle(
  step: TurnStep,
  message: ProviderMessage,
  toolResults: readonly ToolOutcome[],
  note: string,
): void {
  step.state.pending = undefined;
  step.state.messages = repair([
    ...step.state.messages,
    message,
    { role: 'user', content: note, toolResults },
  ]);
}

/** Runs the calls that can be run; arguments that are no object never are (LLM-C16). */
function runTools(step: TurnStep, { content, toolCalls }: ProviderResponse): void {
  const { state, actions } = step;
  state.pending = { role: 'assistant', content, toolCalls };
  const calls = runnable(toolCalls);
  if (calls.length === 0) return ran(step, []);
  state.phase = 'running';
  actions.push({ do: 'run_tools', calls });
}

/** The calls with arguments, each id once. */
const runnable = (calls: readonly ToolCall[]): readonly ToolCall[] => {
  const ids = new Set<string>();
  return calls.filter(({ id, input }) => {
    if (ids.has(id) || !isObject(input)) return false;
    ids.add(id);
    return true;
  });
};

/** Takes the results of tools in, and sends the conversation on. */
export function ran(step: TurnStep, results: readonly ToolOutcome[]): void {
  settleAll(step, results);
  send(step);
}

/** Answers every pending call: with its result, or with why it has none. */
export function settleAll(step: TurnStep, results: readonly ToolOutcome[]): void {
  const { pending } = step.state;
  if (pending === undefined) return;
  const given = new Map(results.map((result) => [result.id, result]));
  const answers = (pending.toolCalls ?? []).map(({ id, input }) => {
    if (isObject(input)) return given.get(id) ?? cancelledResult(id);
    return { id, content: 'The arguments must be a JSON object; the tool did not run.', isError: true };
  });
  settle(step, pending, answers, '');
}
