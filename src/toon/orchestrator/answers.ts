/** The answers of the reference orchestrator: the sources of results and contents, and the order of the results. */
import { entryOf, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { ConnectionStep } from '../connection/step.ts';
import { requestIdOf } from '../machine/state.ts';
import type { ToolCall, ToolResult } from '../messages.ts';

export interface ToolAnswer {
  readonly success: boolean;
  readonly data?: Json;
  /** Why it failed. */
  readonly error?: string;
  /** Milliseconds until the result is sent; the result states them. Default 0. */
  readonly duration?: number;
}

/** The tools: a table by name, or a function that returns undefined for an unknown tool. */
export type ToolSource =
  { readonly [name: string]: ToolAnswer } | ((name: string, args: JsonObject) => ToolAnswer | undefined);

/** The contents: a table by path, or a function that returns undefined for an unknown path. */
export type ContextSource =
  { readonly [path: string]: Json } | ((type: string, path: string) => Json | undefined);

/** The sources of answers. */
export interface AnswerOptions {
  /** Absent: every tool returns its own name and arguments. */
  readonly tools?: ToolSource;
  /** Absent: the content of every path is the path itself. */
  readonly context?: ContextSource;
  /**
   * Tools whose calls are never answered, for scenarios about dead peers. Later calls without a `requestId` get no
   * result either: the peer would take it for the result of the held call (TOON-40).
   */
  readonly hold: readonly string[];
}

/** A call without an answer. */
export interface PendingCall {
  /** The name of its timer. */
  readonly timer: string;
  readonly requestId: string | number | undefined;
  readonly result: ToolResult;
  state: 'running' | 'ready' | 'held';
}

type AnsweringStep = ConnectionStep<{ readonly options: AnswerOptions; readonly pending: PendingCall[] }>;

/** Answers a TOOL_CALL with one TOOL_RESULT, at the end of its duration (TOON-48). */
export function answerCall(step: AnsweringStep, call: ToolCall): void {
  const timer = `call-${step.session.callCount}`;
  const { ms, result } = run(step, call);
  const requestId = requestIdOf(call);
  const state = step.work.options.hold.includes(call.toolName) ? 'held' : ms > 0 ? 'running' : 'ready';
  step.work.pending.push({ timer, requestId, result: { ...result, ...ifDefined({ requestId }) }, state });
  if (state === 'running') step.startTimer(timer, ms);
  sendReady(step);
}

/** A tool has finished: the timer of its call has fired. */
export function finishCall(step: AnsweringStep, timer: string): void {
  const call = step.work.pending.find((pending) => pending.timer === timer);
  if (call === undefined) return;
  call.state = 'ready';
  sendReady(step);
}

/** Whether the tool of a call still runs. */
export const isRunning = ({ state }: PendingCall): boolean => state === 'running';

/** Sends the results in the order of the calls; results with a `requestId` need not wait for earlier calls. */
function sendReady(step: AnsweringStep): void {
  const { pending } = step.work;
  for (let i = 0; i < pending.length;) {
    const call = pending[i];
    if (call?.state === 'ready' && (i === 0 || call.requestId !== undefined)) {
      step.send('TOOL_RESULT', call.result);
      pending.splice(i, 1);
    } else i++;
  }
}

/** The result of a tool, and the milliseconds that it takes. A tool that throws fails, as does a result too large to send. */
function run(
  step: AnsweringStep,
  { toolName, args }: ToolCall,
): { readonly ms: number; readonly result: ToolResult } {
  const { tools = echo } = step.work.options;
  const { maxPayload } = step.options;
  const failed = (error: string, ms = 0) => ({ ms, result: { success: false, error, duration: ms } });
  try {
    const answer = typeof tools === 'function' ? tools(toolName, args) : entryOf(tools, toolName);
    if (answer === undefined) return failed('there is no tool of this name');
    const { success, data, error, duration = 0 } = answer;
    const ms = Number.isFinite(duration) && duration > 0 ? duration : 0;
    const result = { success, ...ifDefined({ data, error }), duration: ms };
    return step.fits(result) ? { ms, result } : failed(`the result is larger than ${maxPayload} bytes`, ms);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const echo = (toolName: string, args: JsonObject): ToolAnswer => ({
  success: true,
  data: { toolName, args },
});

/** The fields that are not undefined. */
const ifDefined = (fields: { readonly [key: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

/** Answers a CONTEXT_REQUEST with one CONTEXT_RESPONSE that repeats the request (TOON-49). */
export function answerContextRequest(step: AnsweringStep, request: JsonObject): void {
  const type = textIn(request, 'type');
  const path = textIn(request, 'path');
  const about = { type, path, ...ifDefined({ requestId: requestIdOf(request) }) };
  const content = contentOf(type, path, step.work.options);
  const answer = content === undefined ? { error: 'there is no such context' } : { content };
  const payload = { ...about, ...answer };
  const tooLarge = { ...about, error: `the content is larger than ${step.options.maxPayload} bytes` };
  step.send('CONTEXT_RESPONSE', step.fits(payload) ? payload : tooLarge);
}

/** A string in a payload that may not be an object; else the empty string. */
function textIn(payload: unknown, key: string): string {
  const value = isObject(payload) ? payload[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The content of a path; undefined when the source has none, or throws. */
function contentOf(type: string, path: string, { context }: AnswerOptions): Json | undefined {
  if (context === undefined) return path;
  if (typeof context !== 'function') return entryOf(context, path);
  try {
    return context(type, path);
  } catch {
    return undefined;
  }
}
