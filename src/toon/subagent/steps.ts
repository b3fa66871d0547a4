/** The work of the reference subagent: an instruction becomes steps, and each step sends messages or waits. */
import { brief, unsupportedText } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { ConnectionStep } from '../connection/step.ts';
import type { ContextStep, Step, ToolStep } from '../directive.ts';
import type { OpenInstruction } from '../machine/state.ts';
import type { Payloads, StatusUpdate, ToolCall } from '../messages.ts';

/** What the running instruction waits for. */
export type Wait =
  | { readonly on: 'nothing' | 'turn' | 'time' | 'room' | 'hold' }
  | {
      readonly on: 'answers';
      /** The position of each open call in the step, by the machine's index of the call. */
      readonly open: Map<number, number>;
      /** The data of the results, by position. */
      readonly data: Json[];
      /** Whether a STATUS reports the data. */
      readonly report: boolean;
    };

/** The instruction that the subagent works on. */
export interface RunningInstruction {
  readonly steps: readonly Step[];
  /** The index of the next step. */
  at: number;
  wait: Wait;
}

/** What the subagent remembers of a connection. */
export interface SubagentWork {
  /** The steps of the instructions that wait, in order. */
  readonly queue: (readonly Step[])[];
  running: RunningInstruction | undefined;
}

export type SubagentStep = ConnectionStep<SubagentWork>;

/** Steps that the subagent does in one turn, before the host can do other work. */
const stepsPerTurn = 64;

const ready: Wait = { on: 'nothing' };

/** The steps of an instruction that is not a directive: there is no model here to work on it. */
const defaultSteps: readonly Step[] = [{ status: { status: 'analyzing', progress: 0.1 } }];

/** The steps of an instruction. A directive that cannot be obeyed has one: it fails. */
export function stepsOf(directive: OpenInstruction['directive']): readonly Step[] {
  if (directive.ok) return directive.value ?? defaultSteps;
  return [{ fail: { code: 'UNSUPPORTED', message: unsupportedText(brief(directive.error)) } }];
}

/** Continues the running instruction, and then the waiting ones, until a step has to wait. */
export function proceed(step: SubagentStep): void {
  const { work } = step;
  if (work.running !== undefined) work.running.wait = ready;
  for (let n = 0; !step.closed; n++) {
    work.running ??= next(work);
    const { running } = work;
    if (running === undefined || running.wait.on !== 'nothing') break;
    if (step.connection.full) running.wait = { on: 'room' };
    else if (n === stepsPerTurn) pause(step, running, 'turn', 0);
    else doNext(step, running);
  }
  closeIfStuck(step);
}

function next({ queue }: SubagentWork): RunningInstruction | undefined {
  const steps = queue.shift();
  return steps === undefined ? undefined : { steps, at: 0, wait: ready };
}

function pause(step: SubagentStep, running: RunningInstruction, on: 'turn' | 'time', ms: number): void {
  running.wait = { on };
  step.startTimer(on, ms);
}

/** Does the next step. After the last one the instruction is completed. */
function doNext(step: SubagentStep, running: RunningInstruction): void {
  const todo = running.steps[running.at++];
  if (todo === undefined) report(step, { status: 'completed', progress: 1 });
  else if ('status' in todo) report(step, statusOf(todo.status.status, todo.status.progress));
  else if ('say' in todo) report(step, statusOf(todo.say, todo.progress));
  else if ('pad' in todo) report(step, { status: 'pad', text: padding(todo.pad.text, todo.pad.bytes) });
  else if ('tool' in todo) call(step, running, 'TOOL_CALL', [toolCallOf(todo.tool)], false);
  else if ('tools' in todo) call(step, running, 'TOOL_CALL', todo.tools.map(toolCallOf), true);
  else if ('context' in todo) call(step, running, 'CONTEXT_REQUEST', [contextRequestOf(todo.context)], false);
  else if ('heartbeat' in todo) step.send('HEARTBEAT', {});
  else if ('wait_ms' in todo) pause(step, running, 'time', todo.wait_ms);
  else if ('fail' in todo) fail(step, todo.fail.code, todo.fail.message);
  else running.wait = { on: 'hold' };
}

const statusOf = (status: string, progress: number | undefined): StatusUpdate =>
  progress === undefined ? { status } : { status, progress };

/** A text, repeated to this many bytes of UTF-8, or to a few less where a character would be cut. */
function padding(text: string, bytes: number): string {
  const once = new TextEncoder().encode(text);
  const rest = new Uint8Array(bytes % once.length);
  const { read } = new TextEncoder().encodeInto(text, rest);
  return text.repeat(Math.floor(bytes / once.length)) + text.slice(0, read);
}

/** Sends a STATUS. The status `completed` ends the instruction, even when a directive orders it (TOON-50). */
function report(step: SubagentStep, payload: StatusUpdate): void {
  if (!step.fits(payload)) {
    const { maxPayload } = step.options;
    return fail(step, 'TOO_LARGE', `the STATUS would be larger than ${maxPayload} bytes`);
  }
  step.send('STATUS', payload);
  if (payload.status === 'completed') step.work.running = undefined;
}

/** Ends the instruction with an ERROR. */
export function fail(step: SubagentStep, code: string, message: string): void {
  step.send('ERROR', { code, message });
  step.work.running = undefined;
}

/** Sends calls or context requests, then waits for all answers. */
function call<N extends 'TOOL_CALL' | 'CONTEXT_REQUEST'>(
  step: SubagentStep,
  running: RunningInstruction,
  type: N,
  payloads: readonly Payloads[N][],
  report: boolean,
): void {
  const first = step.session.callCount;
  for (const payload of payloads) step.send(type, payload);
  const open = new Map(payloads.map((_, position) => [first + position, position]));
  running.wait = { on: 'answers', open, data: payloads.map(() => null), report };
}

const withId = <P extends JsonObject>(payload: P, requestId: string | undefined): P =>
  requestId === undefined ? payload : { ...payload, requestId };

const toolCallOf = ({ name, args = {}, requestId }: ToolStep): ToolCall =>
  withId({ toolName: name, args }, requestId);

const contextRequestOf = ({ type, path, requestId }: ContextStep): JsonObject =>
  withId({ type, path }, requestId);

/** An answer has come. The machine knows its call (TOON-40). An answer to a call of an ended instruction has no effect. */
export function answered(step: SubagentStep, data: Json): void {
  const wait = step.work.running?.wait;
  const call = step.session.answered?.index;
  if (wait?.on !== 'answers' || call === undefined) return;
  const position = wait.open.get(call);
  if (position === undefined) return;
  wait.open.delete(call);
  wait.data[position] = data;
  if (wait.open.size > 0) return;
  step.stopTimers(['doubt']);
  if (wait.report) report(step, { status: 'results', results: wait.data });
  proceed(step);
}

/** Closes a half-closed connection, once nothing is to be done or the next answer can no longer come. */
export function closeIfStuck(step: SubagentStep): void {
  if (!step.connection.halfClosed) return;
  const on = step.work.running?.wait.on;
  if (on === 'answers' || on === 'hold')
    step.tell('dropped', 'the orchestrator has half-closed the connection');
  if (on === undefined || on === 'answers' || on === 'hold') step.close(0, 'done');
}
