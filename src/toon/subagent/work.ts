/** The reference subagent at work: how an instruction becomes steps, and what each step does. */
import type { Json } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import type { ContextStep, Step, ToolStep } from '../directive.ts';
import { brief, defaultConnectionOptions } from '../machine/step-outputs.ts';
import type { StepOutputs } from '../machine/step-outputs.ts';
import type { StatusUpdate } from '../messages.ts';

/** What the instruction in hand waits for. */
export type Wait =
  | { readonly on: 'nothing' | 'turn' | 'time' | 'room' | 'hold' }
  | {
      readonly on: 'answers';
      /** The calls that have no answer, by the machine's number for them, and the place of each. */
      readonly open: Map<number, number>;
      /** What came, by place. */
      readonly data: Json[];
      /** Whether what came is to be reported. */
      readonly report: boolean;
    };

/** The instruction in hand. */
export interface Running {
  readonly steps: readonly Step[];
  /** The next step. */
  at: number;
  wait: Wait;
}

/** What the subagent remembers of a connection. */
export interface SubagentWork {
  /** The instructions that wait for their turn, in order. */
  readonly queue: string[];
  running: Running | undefined;
}

/** Steps done at a stretch, before the host gets to do other things. */
const stretch = 64;

const ready: Wait = { on: 'nothing' };

/** What is done for an instruction that is no directive: there is no mind here to work on it. */
const ordinary: readonly Step[] = [{ status: { status: 'analyzing', progress: 0.1 } }];

function stepsOf(text: string): readonly Step[] {
  const parsed = parseDirective(text);
  if (parsed.ok) return parsed.value ?? ordinary;
  return [{ fail: { code: 'UNSUPPORTED', message: `unsupported: ${brief(parsed.error)}` } }];
}

/** Goes on with the instruction in hand, and then with those that wait, until there is something to wait for. */
export function proceed(pen: StepOutputs, work: SubagentWork): void {
  if (work.running !== undefined) work.running.wait = ready;
  for (let n = 0; !pen.closed; n++) {
    work.running ??= next(work);
    const { running } = work;
    if (running === undefined || running.wait.on !== 'nothing') break;
    if (pen.connection.full) running.wait = { on: 'room' };
    else if (n === stretch) pause(pen, running, 'turn', 0);
    else act(pen, work, running);
  }
  leaveIfStuck(pen, work);
}

function next(work: SubagentWork): Running | undefined {
  const text = work.queue.shift();
  return text === undefined ? undefined : { steps: stepsOf(text), at: 0, wait: ready };
}

function pause(pen: StepOutputs, running: Running, on: 'turn' | 'time', ms: number): void {
  running.wait = { on };
  pen.start(on, ms);
}

/** Does the next step; after the last one the instruction is completed. */
function act(pen: StepOutputs, work: SubagentWork, running: Running): void {
  const step = running.steps[running.at++];
  if (step === undefined) report(pen, work, { status: 'completed', progress: 1 });
  else if ('status' in step) report(pen, work, withProgress(step.status.status, step.status.progress));
  else if ('say' in step) report(pen, work, withProgress(step.say, step.progress));
  else if ('pad' in step) report(pen, work, { status: 'pad', text: padding(step.pad.text, step.pad.bytes) });
  else if ('tool' in step) callAll(pen, running, [step.tool], false);
  else if ('tools' in step) callAll(pen, running, step.tools, true);
  else if ('context' in step) ask(pen, running, step.context);
  else if ('heartbeat' in step) pen.say('HEARTBEAT', {});
  else if ('wait_ms' in step) pause(pen, running, 'time', step.wait_ms);
  else if ('fail' in step) fail(pen, work, step.fail.code, step.fail.message);
  else running.wait = { on: 'hold' };
}

const withProgress = (status: string, progress: number | undefined): StatusUpdate =>
  progress === undefined ? { status } : { status, progress };

/** A text again and again, to so many bytes of UTF-8 or, where a character would be cut, to a few less. */
function padding(text: string, bytes: number): string {
  const once = new TextEncoder().encode(text);
  const cut = new Uint8Array(bytes % once.length);
  const { read } = new TextEncoder().encodeInto(text, cut);
  return text.repeat(Math.floor(bytes / once.length)) + text.slice(0, read);
}

/** Sends a STATUS. One of `completed` ends the instruction, whoever wanted it said (TOON-50). */
function report(pen: StepOutputs, work: SubagentWork, payload: StatusUpdate): void {
  if (!pen.fits(payload)) return fail(pen, work, 'TOO_LARGE', 'the STATUS would be larger than is allowed');
  pen.say('STATUS', payload);
  if (payload.status === 'completed') work.running = undefined;
}

/** Ends the instruction with an ERROR. */
function fail(pen: StepOutputs, work: SubagentWork, code: string, message: string): void {
  pen.say('ERROR', { code, message });
  work.running = undefined;
}

/** Calls tools, each at once, and waits for all. */
function callAll(pen: StepOutputs, running: Running, tools: readonly ToolStep[], report: boolean): void {
  const open = new Map<number, number>();
  tools.forEach(({ name, args = {}, requestId }, place) => {
    open.set(pen.connection.session.asked, place);
    pen.say('TOOL_CALL', { toolName: name, args, ...(requestId === undefined ? {} : { requestId }) });
  });
  running.wait = { on: 'answers', open, data: tools.map(() => null), report };
}

function ask(pen: StepOutputs, running: Running, { type, path, requestId }: ContextStep): void {
  const open = new Map([[pen.connection.session.asked, 0]]);
  pen.say('CONTEXT_REQUEST', { type, path, ...(requestId === undefined ? {} : { requestId }) });
  running.wait = { on: 'answers', open, data: [null], report: false };
}

/** An answer came: the machine says to what (TOON-40). One that nobody waits for any more changes nothing. */
export function answered(pen: StepOutputs, work: SubagentWork, data: Json): void {
  const wait = work.running?.wait;
  const call = pen.connection.session.answered?.n;
  if (wait?.on !== 'answers' || call === undefined) return;
  const place = wait.open.get(call);
  if (place === undefined) return;
  wait.open.delete(call);
  wait.data[place] = data;
  if (wait.open.size > 0) return;
  pen.stop('doubt');
  if (wait.report) report(pen, work, { status: 'results', results: wait.data });
  proceed(pen, work);
}

/** The orchestrator sent an ERROR: it may not have taken a call, which then has no answer ever. */
export function doubt(pen: StepOutputs, work: SubagentWork): void {
  if (work.running?.wait.on === 'answers')
    pen.start('doubt', pen.options.idle > 0 ? pen.options.idle : defaultConnectionOptions.idle);
}

/** No answer came for long after an ERROR: the instruction cannot be gone on with. */
export function unanswered(pen: StepOutputs, work: SubagentWork): void {
  fail(pen, work, 'NO_ANSWER', 'no answer came after an ERROR');
  proceed(pen, work);
}

/** Whoever waits for what cannot come any more, or for nothing, leaves once nothing will be heard. */
export function leaveIfStuck(pen: StepOutputs, work: SubagentWork): void {
  if (!pen.connection.deaf) return;
  const on = work.running?.wait.on;
  if (on === 'answers' || on === 'hold') pen.tell('dropped', 'the orchestrator sends nothing more');
  if (on === undefined || on === 'answers' || on === 'hold') pen.close(0, 'done');
}
