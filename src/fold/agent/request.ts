/**
 * Runs one request of the reference agent: the directive's steps, in order. Other requests get a turn between two
 * steps, and after every 16 texts of a burst.
 */
import type { Outputs, ActiveRequest } from './state.ts';
import type { Step, ToolStep } from '../directive.ts';
import type { PackToolResult, SendMessage, ToolApprovalResponse, ToolState } from '../messages.ts';
import { stepsOf } from './answers.ts';
import { doneOf } from './shell-state.ts';
import type { Terminal } from './shell-state.ts';

const approvalTimeout = 300_000;
const packTimeout = 30_000;
const textsPerTurn = 16;

export function receive(out: Outputs, message: SendMessage): ActiveRequest {
  return {
    id: message.request_id ?? '',
    thread: message.thread_id ?? '',
    steps: stepsOf(out, message.content ?? ''),
    started: 0,
    stepIndex: 0,
    textsSent: 0,
    wait: { on: 'turn' },
    tool: undefined,
    texts: [],
    textBytes: 0,
    echo: false,
    reject: undefined,
    approvals: new Set(),
    approveAll: false,
    releases: 0,
    kept: [],
    normal: [],
  };
}

/** Starts a request. */
export function begin(out: Outputs, request: ActiveRequest): void {
  if (echoesFirst(request)) request.kept = out.state.kept.splice(0);
  continueLater(out, request);
}

/** Whether a request's first step is `echo_injections`: then it takes the kept injections. */
const echoesFirst = (request: ActiveRequest): boolean => 'echo_injections' in (request.steps[0] ?? {});

/** Continues the request after the other requests had their turn. */
const continueLater = (out: Outputs, request: ActiveRequest): void => {
  request.wait = { on: 'turn' };
  out.startTimer(`turn:${request.id}`, 0);
};

/** Ends a request with its terminal. The injections that it did not place are kept. */
function end(out: Outputs, request: ActiveRequest, terminal: Terminal): void {
  out.end(request, terminal);
  out.stopTimers(request.id);
  out.state.kept = [...out.state.kept, ...request.kept, ...request.normal].toSorted((a, b) => a.n - b.n);
}

/** Ends a request from outside. An open tool becomes CANCELLED, without a result. */
export function stop(out: Outputs, request: ActiveRequest, terminal: Terminal): void {
  if (request.tool !== undefined) {
    toolState(out, request, 'TOOL_STATE_CANCELLED');
    request.tool = undefined;
  }
  end(out, request, terminal);
}

/** A timer of the request fired: its turn, or the end of its wait. */
export function onRequestTimer(out: Outputs, request: ActiveRequest): void {
  switch (request.wait.on) {
    case 'turn':
      return advance(out, request);
    case 'time':
      return finishStep(out, request);
    case 'approval':
      return deny(out, request);
    case 'pack':
      out.respond(request, { text: 'timeout' });
      return finishStep(out, request);
    case 'hold':
    case 'room':
      return;
    default:
      request.wait satisfies never;
  }
}

/** The carrier has room again: continues the request if it waits for that. */
export function resume(out: Outputs, request: ActiveRequest): void {
  if (request.wait.on === 'room') continueLater(out, request);
}

function finishStep(out: Outputs, request: ActiveRequest): void {
  request.stepIndex++;
  request.textsSent = 0;
  continueLater(out, request);
}

function advance(out: Outputs, request: ActiveRequest): void {
  if (out.state.full) {
    request.wait = { on: 'room' };
    return;
  }
  if (request.textsSent === 0) {
    if (request.stepIndex === 1)
      for (const { content } of request.kept.splice(0)) out.respond(request, { text: content });
    for (const { content } of request.normal.splice(0))
      if (request.echo) out.respond(request, { text: content });
  }
  const step = request.steps[request.stepIndex];
  if (step !== undefined) return beginStep(out, request, step);
  end(out, request, doneOf(request));
}

function beginStep(out: Outputs, request: ActiveRequest, step: Step): void {
  if ('say' in step) return say(out, request, step.say, step.times ?? 1);
  if ('hold' in step) return hold(out, request);
  if ('wait_ms' in step) return wait(out, request, { on: 'time' }, step.wait_ms);
  if ('tool' in step) return beginTool(out, request, step.tool);
  if ('pack_tool' in step) return beginPack(out, request, step.pack_tool);
  if ('fail' in step) return end(out, request, { error: step.fail });
  if ('session' in step && step.session === 'orphaned') return orphan(out, request);
  doStep(out, request, step);
  finishStep(out, request);
}

/** Does a step that does not wait. */
function doStep(out: Outputs, request: ActiveRequest, step: Step): void {
  if ('think' in step) out.respond(request, { thinking: step.think });
  else if ('usage' in step && out.advertises('token_usage')) out.respond(request, { usage: step.usage });
  else if ('file' in step) {
    const { filename, mime_type, base64 } = step.file;
    out.respond(request, { file: { filename, mime_type, data: base64 } });
  } else if ('session' in step)
    out.respond(request, { session_init: { session_id: `session-${out.state.streams}-${request.id}` } });
  else if ('heartbeat' in step) {
    out.toGateway({ heartbeat: { timestamp_ms: String(Math.floor(out.options.epoch + out.now)) } });
  } else if ('echo_injections' in step) request.echo = true;
  else if ('reject_injections' in step) request.reject = step.reject_injections;
}

function orphan(out: Outputs, request: ActiveRequest): void {
  out.respond(request, { session_orphaned: { reason: 'the session is gone' } });
  end(out, request, { error: 'session orphaned' });
}

function say(out: Outputs, request: ActiveRequest, text: string, times: number): void {
  for (let i = 0; i < textsPerTurn && request.textsSent < times; i++) {
    out.respond(request, { text });
    request.textsSent++;
  }
  if (request.textsSent >= times) finishStep(out, request);
  else continueLater(out, request);
}

function wait(out: Outputs, request: ActiveRequest, wait: ActiveRequest['wait'], ms: number): void {
  request.wait = wait;
  out.startTimer(`wait:${request.id}`, ms);
}

function hold(out: Outputs, request: ActiveRequest): void {
  request.wait = { on: 'hold' };
  if (request.releases === 0) return;
  request.releases--;
  endHold(out, request);
}

/** A release came: it ends the current hold, or the next one. */
export function release(out: Outputs, request: ActiveRequest): void {
  if (request.wait.on === 'hold') endHold(out, request);
  else request.releases++;
}

function endHold(out: Outputs, request: ActiveRequest): void {
  if (request.tool === undefined) finishStep(out, request);
  else finishTool(out, request);
}

/** Sends a state of the open tool. */
function toolState(out: Outputs, request: ActiveRequest, state: ToolState): void {
  const { id = '' } = request.tool ?? {};
  if (out.advertises('tool_states')) out.respond(request, { tool_state: { id, state } });
}

/** A step's input as JSON; `{}` without an input. */
const inputOf = ({ input }: { readonly input?: unknown }): string =>
  JSON.stringify(input === undefined ? {} : input);

function beginTool(out: Outputs, request: ActiveRequest, step: ToolStep): void {
  const id = `tool-${++out.state.tools}`;
  const use = { id, name: step.name, input_json: inputOf(step) };
  request.tool = { id, step };
  out.respond(request, { tool_use: use });
  toolState(out, request, 'TOOL_STATE_PENDING');
  if (step.approval !== true || request.approveAll) return runTool(out, request);
  request.approvals.add(id);
  out.respond(request, { tool_approval_request: use });
  toolState(out, request, 'TOOL_STATE_AWAITING_APPROVAL');
  wait(out, request, { on: 'approval' }, step.approval_timeout_ms ?? approvalTimeout);
}

function runTool(out: Outputs, request: ActiveRequest): void {
  const { tool } = request;
  if (tool === undefined) return;
  toolState(out, request, 'TOOL_STATE_RUNNING');
  if (tool.step.hold === true) hold(out, request);
  else finishTool(out, request);
}

const outcomes = {
  ok: 'TOOL_STATE_COMPLETED',
  fail: 'TOOL_STATE_FAILED',
  timeout: 'TOOL_STATE_TIMEOUT',
} as const;

function finishTool(out: Outputs, request: ActiveRequest): void {
  const { tool } = request;
  if (tool === undefined) return;
  const { outcome = 'ok', output = '' } = tool.step;
  endTool(out, request, outcomes[outcome], output);
}

/** Sends the tool's final state and its result, and ends the step. */
function endTool(out: Outputs, request: ActiveRequest, state: ToolState, output: string): void {
  const { id = '' } = request.tool ?? {};
  const is_error = state !== 'TOOL_STATE_COMPLETED';
  toolState(out, request, state);
  out.respond(request, { tool_result: { id, output, is_error } });
  request.tool = undefined;
  finishStep(out, request);
}

function deny(out: Outputs, request: ActiveRequest): void {
  if (request.tool === undefined) return;
  out.stopTimer(`wait:${request.id}`);
  endTool(out, request, 'TOOL_STATE_DENIED', 'denied');
}

/** Applies a decision to the tool that waits for it; other decisions are ignored. */
export function decide(out: Outputs, decision: ToolApprovalResponse): void {
  const id = decision.id ?? '';
  for (const request of out.state.requests.values()) {
    if (!request.approvals.has(id)) continue;
    request.approveAll ||= decision.approved === true && decision.approve_all === true;
    if (request.wait.on !== 'approval' || request.tool?.id !== id) return;
    if (decision.approved !== true) return deny(out, request);
    out.stopTimer(`wait:${request.id}`);
    return runTool(out, request);
  }
}

function beginPack(out: Outputs, request: ActiveRequest, step: Pick<ToolStep, 'name' | 'input'>): void {
  const id = `pack-${++out.state.packs}`;
  out.toGateway({ execute_pack_tool: { request_id: id, tool_name: step.name, input_json: inputOf(step) } });
  wait(out, request, { on: 'pack', id }, packTimeout);
}

/** Gives a pack tool's result to the request that waits for it; other results are ignored. */
export function onPackResult(out: Outputs, result: PackToolResult): void {
  for (const request of out.state.requests.values()) {
    if (request.wait.on !== 'pack' || request.wait.id !== result.request_id) continue;
    out.stopTimer(`wait:${request.id}`);
    out.respond(request, { text: result.output_json ?? result.error ?? '' });
    return finishStep(out, request);
  }
}
