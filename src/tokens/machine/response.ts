/** A turn takes a response, by its stop reason (TOK-01 to TOK-14, TOK-40, TOK-45, TOK-47, TOK-49), or the results of tools. */
import { isObject } from '../../kit/base/index.ts';
import type {
  ProviderMessage,
  ProviderResponse,
  StopReason,
  ToolCall,
  ToolOutcome,
} from '../../kit/base/index.ts';
import { budgetWarnings } from '../manager/budget.ts';
import { cancelledResult, repair } from '../manager/repair.ts';
import { isBlank } from '../manager/text.ts';
import { totalOf } from '../manager/usage.ts';
import { compactAndSend, send } from './send.ts';
import { stop } from './state.ts';
import type { TurnStep } from './state.ts';

/** The maximum of retries after responses that lost a call, in one turn (TOK-49). */
export const MAX_CUTS = 2;

/** Stop reasons that cannot be true while a call is open: such a response was cut. */
const contradicted: readonly StopReason[] = ['end_turn', 'tool_use', 'stop_sequence', 'unknown'];

/** Takes a response; `word` is the provider's own stop reason. */
export function receiveResponse(step: TurnStep, response: ProviderResponse, word: string | undefined): void {
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
  if (reason === 'max_tokens') return receiveCut(step, response);
  if (reason === 'tool_use' && response.toolCalls.length > 0) return runTools(step, response);
  if (reason === 'context_window' && compactAndSend(step)) return;
  append(step, withoutOpen(response), '');
  stop(step, reason);
}

/** Without the open call: it never runs, whatever ended the response (TOK-47). */
const withoutOpen = (response: ProviderResponse): ProviderResponse => ({
  ...response,
  toolCalls: response.toolCalls.filter(({ id }) => id !== response.open?.id),
});

/** Takes a response that the output limit cut. Complete calls stay; the model is asked for a lost call again (TOK-49). */
function receiveCut(step: TurnStep, cutResponse: ProviderResponse): void {
  const { state, actions, handler } = step;
  const { response, warnings } = handler.handle(cutResponse, 'max_tokens');
  for (const warning of warnings) actions.push({ do: 'warn', ...warning });
  const complete = new Set(response.toolCalls);
  const lost = cutResponse.toolCalls.filter((call) => !complete.has(call)).map(({ name }) => name);
  if (lost.length === 0 && response.open !== undefined) lost.push(response.open.name);
  const retries = lost.length > 0 && state.cuts < MAX_CUTS;
  append(step, response, retries ? noteOf(lost) : '');
  if (!retries) return stop(step, 'max_tokens');
  state.cuts++;
  state.phase = 'waiting';
  actions.push({ do: 'retry', delay: 0, code: 'dropped' });
}

const noteOf = (lost: readonly string[]): string =>
  `Your last message reached the output limit, and was cut within a tool call (${[...new Set(lost)].slice(0, 5).join(', ')}). ` +
  'That call did not run. Make it again in smaller pieces, with one call a message.';

const placeholder = '(The output limit cut this message.)';

/** Appends a response with cancelled calls, and a note to the model. Before a note, an empty response becomes a placeholder. */
function append(step: TurnStep, { content, toolCalls }: ProviderResponse, note: string): void {
  const isEmpty = isBlank(content) && toolCalls.length === 0;
  const text = isEmpty && note !== '' ? placeholder : content;
  const results = toolCalls.map(({ id }) => cancelledResult(id));
  settle(step, { role: 'assistant', content: text, toolCalls }, results, note);
}

/** Appends a message of the assistant with the results of its calls, and a note to the model. */
function settle(
  step: TurnStep,
  message: ProviderMessage,
  toolResults: readonly ToolOutcome[],
  note: string,
): void {
  const answer: ProviderMessage = { role: 'user', content: note, toolResults };
  step.state.pending = undefined;
  step.state.messages = repair([...step.state.messages, message, answer]);
}

/** Runs each call once. A call whose arguments are not an object never runs (LLM-C16). */
function runTools(step: TurnStep, { content, toolCalls }: ProviderResponse): void {
  const { state, actions } = step;
  state.pending = { role: 'assistant', content, toolCalls };
  const calls = new Map<string, ToolCall>();
  for (const call of toolCalls) if (isObject(call.input) && !calls.has(call.id)) calls.set(call.id, call);
  if (calls.size === 0) return receiveResults(step, []);
  state.phase = 'running';
  actions.push({ do: 'run_tools', calls: [...calls.values()] });
}

/** Takes the results of tools, and sends the conversation. */
export function receiveResults(step: TurnStep, results: readonly ToolOutcome[]): void {
  answerPending(step, results);
  send(step);
}

/** Answers every pending call as cancelled. */
export const cancelPending = (step: TurnStep): void => answerPending(step, []);

/** Answers every pending call: with its result, or with the reason why it has none. */
function answerPending(step: TurnStep, results: readonly ToolOutcome[]): void {
  const { pending } = step.state;
  if (pending === undefined) return;
  const given = new Map(results.map((result) => [result.id, result]));
  const answers = (pending.toolCalls ?? []).map(({ id, input }) => {
    if (isObject(input)) return given.get(id) ?? cancelledResult(id);
    return { id, content: 'The arguments must be a JSON object; the tool did not run.', isError: true };
  });
  settle(step, pending, answers, '');
}
