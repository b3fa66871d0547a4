/**
 * How the reference agent runs one request: the directive's steps in order, one at a time, giving way between
 * them and every 16 texts of a burst.
 */
import type { AgentState, Running } from './state.ts';
import { StepOutputs } from './state.ts';
import type { Step, ToolStep } from '../directive.ts';
import type { PackToolResult, SendMessage, ToolApprovalResponse, ToolState } from '../messages.ts';
import { parseDirective } from '../directive.ts';

const approvalTimeout = 300_000;
const packTimeout = 30_000;
const burst = 16;
const fullResponseLimit = 1 << 20;

/** Takes a request: runs it, or queues it behind its thread's. */
export function take(state: AgentState, pen: StepOutputs, message: SendMessage): void {
  const parsed = parseDirective(message.content ?? '');
  const id = message.request_id ?? '';
  const steps = parsed.ok
    ? (parsed.value ?? [{ say: message.content ?? '' }])
    : [{ fail: `unsupported: ${parsed.error}` }];
  const request: Running = {
    id,
    thread: message.thread_id ?? '',
    steps,
    started: 0,
    at: 0,
    said: 0,
    wait: { on: 'turn' },
    tool: undefined,
    texts: [],
    textBytes: 0,
    echo: false,
    reject: undefined,
    asked: new Set(),
    approveAll: false,
    releases: 0,
    kept: [],
    normal: [],
  };
  state.requests.set(id, request);
  startNext(state, pen, request.thread);
}

/** Starts what may start: of one non-empty thread, the first; of the empty one, all. */
function startNext(state: AgentState, pen: StepOutputs, thread: string): void {
  for (const request of state.requests.values()) {
    if (request.thread !== thread) continue;
    if (request.started === 0) {
      request.started = ++state.starts;
      if (echoesFirst(request)) request.kept = state.kept.splice(0);
      soon(pen, request);
    }
    if (thread !== '') return;
  }
}

/** Whether a request's first step asks for injections to be said: then it gets what was kept. */
const echoesFirst = (request: Running): boolean => 'echo_injections' in (request.steps[0] ?? {});

const soon = (pen: StepOutputs, request: Running): void => {
  request.wait = { on: 'turn' };
  pen.startTimer(`turn:${request.id}`, 0);
};

/** Ends a request with its terminal, and starts the next of its thread. */
export function end(
  state: AgentState,
  pen: StepOutputs,
  request: Running,
  terminal: { done: { full_response?: string } } | { error: string } | { cancelled: { reason: string } },
): void {
  pen.respond(request, terminal);
  state.requests.delete(request.id);
  for (const timer of ['turn', 'wait']) pen.stopTimer(`${timer}:${request.id}`);
  state.kept = [...state.kept, ...request.kept, ...request.normal].toSorted((a, b) => a.n - b.n);
  startNext(state, pen, request.thread);
}

/** Leaves a tool in hand as CANCELLED, without a result. */
export function dropTool(pen: StepOutputs, request: Running): void {
  if (request.tool === undefined) return;
  toolState(pen, request, request.tool.id, 'TOOL_STATE_CANCELLED');
  request.tool = undefined;
}

/** A request's timer fired: its turn, or the end of its wait. */
export function turn(state: AgentState, pen: StepOutputs, request: Running): void {
  switch (request.wait.on) {
    case 'turn':
      return advance(state, pen, request);
    case 'time':
      return finishStep(pen, request);
    case 'approval':
      return denied(pen, request);
    case 'pack':
      pen.respond(request, { text: 'timeout' });
      return finishStep(pen, request);
    case 'hold':
    case 'room':
      return;
    default:
      request.wait satisfies never;
  }
}

/** There is room again: goes on with what the full carrier stopped. */
export function resume(pen: StepOutputs, request: Running): void {
  if (request.wait.on === 'room') soon(pen, request);
}

function finishStep(pen: StepOutputs, request: Running): void {
  request.at++;
  request.said = 0;
  soon(pen, request);
}

function advance(state: AgentState, pen: StepOutputs, request: Running): void {
  if (state.full) {
    request.wait = { on: 'room' };
    return;
  }
  if (request.said === 0) {
    if (request.at === 1)
      for (const { content } of request.kept.splice(0)) pen.respond(request, { text: content });
    for (const { content } of request.normal.splice(0))
      if (request.echo) pen.respond(request, { text: content });
  }
  const step = request.steps[request.at];
  if (step !== undefined) return begin(state, pen, request, step);
  const whole = request.textBytes <= fullResponseLimit ? request.texts.join('') : '';
  const fits =
    whole.length * 3 <= fullResponseLimit || new TextEncoder().encode(whole).length <= fullResponseLimit;
  end(state, pen, request, { done: fits && whole !== '' ? { full_response: whole } : {} });
}

function begin(state: AgentState, pen: StepOutputs, request: Running, step: Step): void {
  if ('say' in step) return say(pen, request, step.say, step.times ?? 1);
  if ('hold' in step) return hold(pen, request);
  if ('wait_ms' in step) return wait(pen, request, { on: 'time' }, step.wait_ms);
  if ('tool' in step) return beginTool(state, pen, request, step.tool);
  if ('pack_tool' in step) return beginPack(state, pen, request, step.pack_tool);
  if ('fail' in step) return end(state, pen, request, { error: step.fail });
  if ('session' in step && step.session === 'orphaned') return orphan(state, pen, request);
  atOnce(state, pen, request, step);
  finishStep(pen, request);
}

/** The steps that wait for nothing. */
function atOnce(state: AgentState, pen: StepOutputs, request: Running, step: Step): void {
  if ('think' in step) pen.respond(request, { thinking: step.think });
  else if ('usage' in step && pen.advertises('token_usage')) pen.respond(request, { usage: step.usage });
  else if ('file' in step) {
    const { filename, mime_type, base64 } = step.file;
    pen.respond(request, { file: { filename, mime_type, data: base64 } });
  } else if ('session' in step)
    pen.respond(request, { session_init: { session_id: `session-${state.streams}-${request.id}` } });
  else if ('heartbeat' in step) {
    pen.send({ heartbeat: { timestamp_ms: String(Math.floor(pen.options.epoch + pen.now)) } });
  } else if ('echo_injections' in step) request.echo = true;
  else if ('reject_injections' in step) request.reject = step.reject_injections;
}

function orphan(state: AgentState, pen: StepOutputs, request: Running): void {
  pen.respond(request, { session_orphaned: { reason: 'the session is gone' } });
  end(state, pen, request, { error: 'session orphaned' });
}

function say(pen: StepOutputs, request: Running, text: string, times: number): void {
  for (let i = 0; i < burst && request.said < times; i++) {
    pen.respond(request, { text });
    request.said++;
  }
  if (request.said >= times) finishStep(pen, request);
  else soon(pen, request);
}

function wait(pen: StepOutputs, request: Running, what: Running['wait'], ms: number): void {
  request.wait = what;
  pen.startTimer(`wait:${request.id}`, ms);
}

function hold(pen: StepOutputs, request: Running): void {
  request.wait = { on: 'hold' };
  if (request.releases === 0) return;
  request.releases--;
  released(pen, request);
}

/** A release came: it ends the present hold, or the next one. */
export function release(pen: StepOutputs, request: Running): void {
  if (request.wait.on === 'hold') released(pen, request);
  else request.releases++;
}

function released(pen: StepOutputs, request: Running): void {
  if (request.tool === undefined) finishStep(pen, request);
  else finishTool(pen, request);
}

function toolState(pen: StepOutputs, request: Running, id: string, state: ToolState): void {
  if (pen.advertises('tool_states')) pen.respond(request, { tool_state: { id, state } });
}

/** A step's input as JSON; `{}` when it has none, which is not the same as null. */
const inputOf = ({ input }: { readonly input?: unknown }): string =>
  JSON.stringify(input === undefined ? {} : input);

function beginTool(state: AgentState, pen: StepOutputs, request: Running, step: ToolStep): void {
  const id = `tool-${++state.tools}`;
  const use = { id, name: step.name, input_json: inputOf(step) };
  request.tool = { id, step };
  pen.respond(request, { tool_use: use });
  toolState(pen, request, id, 'TOOL_STATE_PENDING');
  if (step.approval !== true || request.approveAll) return runTool(pen, request);
  request.asked.add(id);
  pen.respond(request, { tool_approval_request: use });
  toolState(pen, request, id, 'TOOL_STATE_AWAITING_APPROVAL');
  wait(pen, request, { on: 'approval' }, step.approval_timeout_ms ?? approvalTimeout);
}

function runTool(pen: StepOutputs, request: Running): void {
  const { tool } = request;
  if (tool === undefined) return;
  toolState(pen, request, tool.id, 'TOOL_STATE_RUNNING');
  if (tool.step.hold === true) hold(pen, request);
  else finishTool(pen, request);
}

const outcomes = {
  ok: 'TOOL_STATE_COMPLETED',
  fail: 'TOOL_STATE_FAILED',
  timeout: 'TOOL_STATE_TIMEOUT',
} as const;

function finishTool(pen: StepOutputs, request: Running): void {
  const { tool } = request;
  if (tool === undefined) return;
  const outcome = tool.step.outcome ?? 'ok';
  toolState(pen, request, tool.id, outcomes[outcome]);
  pen.respond(request, {
    tool_result: { id: tool.id, output: tool.step.output ?? '', is_error: outcome !== 'ok' },
  });
  request.tool = undefined;
  finishStep(pen, request);
}

function denied(pen: StepOutputs, request: Running): void {
  const { tool } = request;
  if (tool === undefined) return;
  pen.stopTimer(`wait:${request.id}`);
  toolState(pen, request, tool.id, 'TOOL_STATE_DENIED');
  pen.respond(request, { tool_result: { id: tool.id, output: 'denied', is_error: true } });
  request.tool = undefined;
  finishStep(pen, request);
}

/** An operator's decision: for the tool that asked, else ignored. */
export function decide(state: AgentState, pen: StepOutputs, decision: ToolApprovalResponse): void {
  const id = decision.id ?? '';
  for (const request of state.requests.values()) {
    if (!request.asked.has(id)) continue;
    request.approveAll ||= decision.approved === true && decision.approve_all === true;
    if (request.wait.on !== 'approval' || request.tool?.id !== id) return;
    if (decision.approved !== true) return denied(pen, request);
    pen.stopTimer(`wait:${request.id}`);
    return runTool(pen, request);
  }
}

function beginPack(
  state: AgentState,
  pen: StepOutputs,
  request: Running,
  step: { name: string; input?: unknown },
): void {
  const id = `pack-${++state.packs}`;
  pen.send({
    execute_pack_tool: { request_id: id, tool_name: step.name, input_json: inputOf(step) },
  });
  wait(pen, request, { on: 'pack', id }, packTimeout);
}

/** A pack tool's answer: for the request that waits for it, else ignored. */
export function packAnswered(state: AgentState, pen: StepOutputs, result: PackToolResult): void {
  for (const request of state.requests.values()) {
    if (request.wait.on !== 'pack' || request.wait.id !== result.request_id) continue;
    pen.stopTimer(`wait:${request.id}`);
    pen.respond(request, { text: result.output_json ?? result.error ?? '' });
    return finishStep(pen, request);
  }
}
