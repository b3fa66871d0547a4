/**
 * SEP, the Streaming Execution Protocol: a language model writes tags into its output; thoughts and responses stream to
 * the user, and actions run as their tags close. `SepParser` reads an output in pieces of any size. `executorMachine`
 * runs its actions, as a pure function. `StreamingProtocolParser` is both over a stream, under the names of the
 * protocol's document.
 *
 * @example
 * import { parseSep, playRun } from 'wireproof/sep';
 *
 * const output = '<action type="tool" mode="sync" id="a">{"name":"add","output_key":"sum"}</action><response>$sum</response>';
 * console.log(parseSep(output).map(({ type }) => type)); // ['action', 'response', 'response_end']
 * const run = playRun({ iterations: [[output]], providers: { add: [{ after: 2, output: 8 }] } });
 * console.log(run.variables); // { a: 8, sum: 8 }
 */
export { executorMachine } from './executor/machine.ts';
export type { ExecutorMachine } from './executor/machine.ts';
export { Runner } from './executor/runner.ts';
export type { RunnerOptions, TimedEvent } from './executor/runner.ts';
export { scriptedProviders } from './executor/providers.ts';
export type {
  Provider,
  ProviderAnswer,
  ProviderCall,
  Providers,
  ScriptedOutcome,
  ScriptedOutcomes,
} from './executor/providers.ts';
export { playRun } from './executor/scripted-run.ts';
export type { RunScript, ScriptedRun } from './executor/scripted-run.ts';
export { maxIterations, mostRetries, mostSubstituted, mostValue } from './executor/limits.ts';
export type { ExecutorLimits } from './executor/limits.ts';
export type {
  ExecutorCommand,
  ExecutorEvent,
  ExecutorInput,
  ExecutorOptions,
  ExecutorState,
  FinishReason,
} from './executor/state.ts';
export { actionModes, actionTypes, errorReactions } from './parser/events.ts';
export type {
  ActionMode,
  ActionType,
  DiagnosticCode,
  ErrorReaction,
  SepAction,
  SepDiagnostic,
  SepEvent,
} from './parser/events.ts';
export { mostBody, parseSep, SepParser } from './parser/parser.ts';
export { promptOf, sepPrompt } from './prompt.ts';
export type { PromptFeed, PromptTool } from './prompt.ts';
export type { SepParserOptions } from './parser/parser.ts';
export type { StreamEvent } from './streaming/events.ts';
export { mostUnread } from './streaming/run.ts';
export type { OutputStream } from './streaming/run.ts';
export { executorOf, StreamingProtocolParser } from './streaming/streaming-protocol-parser.ts';
export type {
  ActionExecutor,
  StreamingProtocolParserOptions,
} from './streaming/streaming-protocol-parser.ts';
export { sepTestee } from './testee/testee.ts';
