/** How the reference orchestrator answers: where results and contents come from, when they are sent, in what order. */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { StepOutputs } from '../machine/step-outputs.ts';
import { requestIdOf } from '../machine/state.ts';
import type { ToolCall, ToolResult } from '../messages.ts';

/** What a tool gives. */
export interface ToolAnswer {
  readonly success: boolean;
  readonly data?: Json;
  /** What went wrong. */
  readonly error?: string;
  /** Milliseconds until the result is sent, which says so; default 0. */
  readonly duration?: number;
}

/** The tools: a table by name, or a function that gives undefined for one that it does not know. */
export type ToolSource =
  { readonly [name: string]: ToolAnswer } | ((name: string, args: JsonObject) => ToolAnswer | undefined);

/** What may be asked for: a table by path, or a function that gives undefined for what it does not know. */
export type ContextSource =
  { readonly [path: string]: Json } | ((type: string, path: string) => Json | undefined);

/** Where answers come from. */
export interface AnswerOptions {
  /** Absent: every tool gives what it was called with. */
  readonly tools?: ToolSource;
  /** Absent: every path has its own name as content. */
  readonly context?: ContextSource;
  /**
   * Tools whose calls are never answered, for scenarios about dead peers. Later calls without a `requestId` get no
   * result either: it would be taken for that of the call before (TOON-40).
   */
  readonly hold: readonly string[];
}

/** A call that is not answered yet. */
export interface Pending {
  /** Of its timer. */
  readonly name: string;
  readonly requestId: string | number | undefined;
  readonly result: ToolResult;
  state: 'running' | 'ready' | 'held';
}

/** Answers a TOOL_CALL: with one TOOL_RESULT, once its time has come (TOON-48). */
export function answerCall(
  pen: StepOutputs,
  pending: Pending[],
  call: ToolCall,
  options: AnswerOptions,
): void {
  const name = `call-${pen.connection.session.asked}`;
  const requestId = requestIdOf(call);
  const { ms, result } = run(pen, call, options);
  const state = options.hold.includes(call.toolName) ? 'held' : ms > 0 ? 'running' : 'ready';
  pending.push({
    name,
    requestId,
    result: { ...result, ...(requestId === undefined ? {} : { requestId }) },
    state,
  });
  if (state === 'running') pen.start(name, ms);
  flush(pen, pending);
}

/** A tool is done. */
export function onTime(pen: StepOutputs, pending: Pending[], name: string): void {
  const done = pending.find((one) => one.name === name);
  if (done === undefined) return;
  done.state = 'ready';
  flush(pen, pending);
}

/** Whether a call will be answered in time: not held, nor behind one that is. */
export const isBeingAnswered = ({ state }: Pending): boolean => state === 'running';

/** Sends the results that may be sent: in the order of the calls, but for those that repeat a `requestId`. */
function flush(pen: StepOutputs, pending: Pending[]): void {
  for (let i = 0; i < pending.length;) {
    const one = pending[i];
    if (one?.state === 'ready' && (i === 0 || one.requestId !== undefined)) {
      pen.say('TOOL_RESULT', one.result);
      pending.splice(i, 1);
    } else i++;
  }
}

const failed = (error: string, duration: number = 0): ToolResult => ({ success: false, error, duration });

/** Runs a tool. What it throws, and what cannot be sent, is its failure. */
function run(
  pen: StepOutputs,
  { toolName, args }: ToolCall,
  { tools = echo }: AnswerOptions,
): { readonly ms: number; readonly result: ToolResult } {
  try {
    const given = typeof tools === 'function' ? tools(toolName, args) : lookUp(tools, toolName);
    if (given === undefined) return { ms: 0, result: failed('there is no tool of this name') };
    const { success, data, error, duration = 0 } = given;
    const ms = Number.isFinite(duration) && duration > 0 ? duration : 0;
    const more = { ...(data === undefined ? {} : { data }), ...(error === undefined ? {} : { error }) };
    const result = { success, ...more, duration: ms };
    return { ms, result: pen.fits(result) ? result : failed('the result is larger than is allowed', ms) };
  } catch (error) {
    return { ms: 0, result: failed(error instanceof Error ? error.message : String(error)) };
  }
}

const echo = (toolName: string, args: JsonObject): ToolAnswer => ({
  success: true,
  data: { toolName, args },
});

/** An own entry of a table: `toString` is no tool. */
const lookUp = <T>(table: { readonly [key: string]: T }, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Answers a CONTEXT_REQUEST: with one CONTEXT_RESPONSE, that repeats what was asked for (TOON-49). */
export function answerQuestion(pen: StepOutputs, asked: JsonObject, options: AnswerOptions): void {
  const requestId = requestIdOf(asked);
  const type = textIn(asked, 'type');
  const path = textIn(asked, 'path');
  const about = { type, path, ...(requestId === undefined ? {} : { requestId }) };
  const content = contentOf(type, path, options);
  const answer = content === undefined ? { error: 'there is no such context' } : { content };
  const payload = { ...about, ...answer };
  pen.say(
    'CONTEXT_RESPONSE',
    pen.fits(payload) ? payload : { ...about, error: 'it is larger than is allowed' },
  );
}

/** A text of a payload that need not be an object. */
function textIn(payload: unknown, key: string): string {
  const value = isObject(payload) ? payload[key] : undefined;
  return typeof value === 'string' ? value : '';
}

/** What is at a path; undefined where the source fails, too. */
function contentOf(type: string, path: string, { context }: AnswerOptions): Json | undefined {
  if (context === undefined) return path;
  if (typeof context !== 'function') return lookUp(context, path);
  try {
    return context(type, path);
  } catch {
    return undefined;
  }
}
