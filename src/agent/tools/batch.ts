/**
 * Runs the calls of one response, one after another, in their order. Each is shown with its states, waits for an approval
 * if its tool is gated, and gives one result. A call that names no tool, or whose input does not fit, is not run.
 */
import { isObject, misfitOf } from '../../kit/base/index.ts';
import type { JsonObject, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import type { ToolApprovalResponse, ToolState } from '../../fold/index.ts';
import { UNITS_PER_TOKEN, UNKNOWN_WINDOW, truncateText } from '../../tokens/index.ts';
import type { AgentTool, ToolEffect, ToolEnd, WholeAgentOptions } from '../options.ts';
import type { AgentOutputs, AgentRequest, OpenTool } from '../state.ts';

const approvalTimeout = 300_000;
const toolTimeout = 120_000;

/** The longest output of a tool, in UTF-16 units: a quarter of the window, and a message of Fold is below 4 MiB. */
const longestOutput = ({ window = UNKNOWN_WINDOW }: WholeAgentOptions): number =>
  Math.min(1 << 18, Math.floor(window / 4) * UNITS_PER_TOKEN);

const states = {
  completed: 'TOOL_STATE_COMPLETED',
  failed: 'TOOL_STATE_FAILED',
  timeout: 'TOOL_STATE_TIMEOUT',
  denied: 'TOOL_STATE_DENIED',
} as const;

/** Begins the calls of a response, without those that are put off. */
export function beginBatch(
  request: AgentRequest,
  calls: readonly ToolCall[],
  deferred: readonly ToolOutcome[] = [],
): void {
  request.batch = { calls, deferred, own: undefined, results: [], open: undefined };
}

/** Begins a call of the agent's own: the user decides about it. */
export function beginOwn(request: AgentRequest, own: AgentTool, input: JsonObject): void {
  const call = { id: 'own', name: own.name, input };
  request.batch = { calls: [call], deferred: [], own, results: [], open: undefined };
}

/** Runs calls until one of them takes time. Returns whether all of them have ended. */
export function runBatch(out: AgentOutputs, request: AgentRequest): boolean {
  const { batch } = request;
  if (batch === undefined) return false;
  while (batch.open === undefined) {
    const call = batch.calls[batch.results.length];
    if (call === undefined) return true;
    beginCall(out, request, call);
  }
  return false;
}

function beginCall(out: AgentOutputs, request: AgentRequest, call: ToolCall): void {
  const { tools = [], gated = [], parts = {} } = out.whole;
  const id = `tool-${++out.state.tools}`;
  const use = { id, name: call.name, input_json: JSON.stringify(call.input) };
  out.respond(request, { tool_use: use });
  toolState(out, request, id, 'TOOL_STATE_PENDING');
  const own = request.batch?.own;
  const tool = own ?? tools.find(({ name }) => name === call.name);
  if (tool === undefined)
    return giveResult(out, request, id, call, 'failed', `there is no tool called ${call.name}`);
  const misfit = misfitOf(tool.inputSchema, call.input);
  if (misfit !== undefined) return giveResult(out, request, id, call, 'failed', `not run: ${misfit}`);
  const timedOut: ToolEnd = { outcome: 'timeout', output: 'the tool took too long, and was stopped' };
  const open: OpenTool = { id, call, tool, waits: 'approval', end: timedOut };
  if (request.batch !== undefined) request.batch.open = open;
  const isGated = own !== undefined || (parts.gates?.(call, gated) ?? gated.includes(call.name));
  if (!isGated || request.approveAll) return runTool(out, request, open);
  request.approvals.add(id);
  out.respond(request, { tool_approval_request: use });
  toolState(out, request, id, 'TOOL_STATE_AWAITING_APPROVAL');
  out.startTimerOf(request, out.whole.approvalTimeout ?? approvalTimeout);
}

/** Sends a state of a tool, if the agent advertises states. */
function toolState(out: AgentOutputs, request: AgentRequest, id: string, state: ToolState): void {
  if (out.advertises('tool_states')) out.respond(request, { tool_state: { id, state } });
}

function runTool(out: AgentOutputs, request: AgentRequest, open: OpenTool): void {
  const { id, call, tool } = open;
  toolState(out, request, id, 'TOOL_STATE_RUNNING');
  const input: JsonObject = isObject(call.input) ? call.input : {};
  const run = tool.run(input);
  if (run.do === 'end') return endTool(out, request, open, run.end);
  const timeout = tool.timeout ?? toolTimeout;
  open.waits = run.do === 'wait' ? 'time' : 'host';
  if (run.do === 'wait' && run.ms <= timeout) open.end = run.end;
  out.startTimerOf(request, run.do === 'wait' ? Math.min(run.ms, timeout) : timeout);
  if (run.do === 'effect') doEffect(out, { do: 'run', id, tool: tool.name, input });
}

const doEffect = (out: AgentOutputs, effect: ToolEffect): void => {
  out.outputs.push({ type: 'effect', id: effect.id, effect });
};

function endTool(out: AgentOutputs, request: AgentRequest, { id, call }: OpenTool, end: ToolEnd): void {
  out.stopTimerOf(request);
  giveResult(out, request, id, call, end.outcome, end.output);
}

/** Ends a call: its final state, its result for the gateway, and the same for the model. */
function giveResult(
  out: AgentOutputs,
  request: AgentRequest,
  id: string,
  call: ToolCall,
  outcome: keyof typeof states,
  full: string,
): void {
  const output = truncateText(full, longestOutput(out.whole));
  const isError = outcome !== 'completed';
  toolState(out, request, id, states[outcome]);
  out.respond(request, { tool_result: { id, output, is_error: isError } });
  if (request.batch === undefined) return;
  request.batch.open = undefined;
  request.batch.results.push({ id: call.id, content: output, isError });
}

const denial = 'The user did not allow this call. The tool did not run.';

const deny = (out: AgentOutputs, request: AgentRequest, { id, call }: OpenTool): void => {
  out.stopTimerOf(request);
  giveResult(out, request, id, call, 'denied', denial);
};

/** The time of the open tool is over: nobody decided, its wait has passed, or it took too long. */
export function toolTimer(out: AgentOutputs, request: AgentRequest, open: OpenTool): void {
  if (open.waits === 'approval') return deny(out, request, open);
  if (open.waits === 'host') doEffect(out, { do: 'cancel', id: open.id });
  endTool(out, request, open, open.end);
}

/** Applies a decision. Returns the request whose tool waited for it; other decisions are ignored. */
export function decideTool(out: AgentOutputs, decision: ToolApprovalResponse): AgentRequest | undefined {
  const id = decision.id ?? '';
  for (const request of out.state.requests.values()) {
    if (!request.approvals.has(id)) continue;
    request.approveAll ||= decision.approved === true && decision.approve_all === true;
    const open = request.batch?.open;
    if (open?.id !== id || open.waits !== 'approval') return undefined;
    out.stopTimerOf(request);
    if (decision.approved === true) runTool(out, request, open);
    else deny(out, request, open);
    return request;
  }
  return undefined;
}

/** Takes the end of an effect. Returns the request whose tool waited for it; a late end is ignored. */
export function endEffect(out: AgentOutputs, id: string, result: unknown): AgentRequest | undefined {
  for (const request of out.state.requests.values()) {
    const open = request.batch?.open;
    if (open?.id !== id || open.waits !== 'host') continue;
    endTool(out, request, open, toolEndOf(result));
    return request;
  }
  return undefined;
}

/** What a host gave as the end of a tool. */
function toolEndOf(result: unknown): ToolEnd {
  const { outcome, output } = isObject(result) ? result : {};
  const known = (['completed', 'failed', 'timeout'] as const).find((word) => word === outcome);
  if (known === undefined || typeof output !== 'string')
    return { outcome: 'failed', output: 'the host gave no result' };
  return { outcome: known, output };
}

/** Stops the open tool of a request that is stopped itself: CANCELLED, without a result for the gateway. */
export function stopBatch(out: AgentOutputs, request: AgentRequest, isLost: boolean): void {
  const { batch } = request;
  const open = batch?.open;
  if (batch === undefined || open === undefined) return;
  if (!isLost) toolState(out, request, open.id, 'TOOL_STATE_CANCELLED');
  if (open.waits === 'host') doEffect(out, { do: 'cancel', id: open.id });
  const content =
    open.waits === 'approval' ? 'Cancelled: the tool did not run.' : 'Cancelled while the tool ran.';
  batch.results.push({ id: open.call.id, content, isError: true });
  batch.open = undefined;
}
