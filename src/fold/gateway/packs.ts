/** Packs: who offers which tool, and agents' calls of them: one result a call, whatever happens (G47–G52). */
import { code, gatewayLimits } from './options.ts';
import { agentOn, keepLast } from './state.ts';
import type { AgentLink, PackCall, PackLink, PackTool, StepOutputs, ResultLink } from './state.ts';
import { push } from './injections.ts';
import type {
  ExecutePackTool,
  ExecuteToolResponse,
  PackManifest,
  PackToolResult,
  ToolDefinition,
} from '../messages.ts';

/** A pack says what it is. */
export function register(pen: StepOutputs, link: PackLink, manifest: PackManifest): void {
  const { state } = pen;
  if (link.id !== '') return pen.tell('ignored', `a second manifest of pack ${link.id}`);
  const { pack_id = '', tools = [] } = manifest;
  const refused = unfit(pen, pack_id, tools);
  if (refused !== undefined) {
    state.links.delete(link.peer);
    return pen.close(link.peer, refused.code, refused.message);
  }
  link.id = pack_id;
  link.tools = tools.map(({ name = '' }) => name);
  state.packs.set(pack_id, link.peer);
  for (const definition of tools) state.tools.set(definition.name ?? '', { pack: link.peer, definition });
  pen.tell('pack registered', `${pack_id}: ${link.tools.join(', ')}`);
}

function unfit(
  { state }: StepOutputs,
  pack_id: string,
  tools: readonly ToolDefinition[],
): { code: number; message: string } | undefined {
  if (pack_id === '') return { code: code.invalid, message: 'pack_id is required' };
  if (state.packs.has(pack_id)) return { code: code.exists, message: `pack ${pack_id} already registered` };
  const names = new Set<string>();
  for (const { name = '' } of tools) {
    if (name === '') return { code: code.invalid, message: 'every tool needs a name' };
    if (state.tools.has(name) || names.has(name))
      return { code: code.exists, message: `tool ${name} already registered` };
    names.add(name);
  }
  return undefined;
}

/** A pack is gone: so are its tools, and its open calls end in error. */
export function lostPack(pen: StepOutputs, link: PackLink): void {
  const { state } = pen;
  state.links.delete(link.peer);
  if (link.id === '') return;
  state.packs.delete(link.id);
  for (const name of link.tools) state.tools.delete(name);
  for (const id of link.calls) finishCall(pen, id, { error: `pack ${link.id} is gone` });
  pen.tell('pack gone', link.id);
}

/** The tools that an agent with these capabilities may be offered, and call. */
export const toolsFor = (pen: StepOutputs, capabilities: readonly string[]): readonly ToolDefinition[] =>
  [...pen.state.tools.values()]
    .map(({ definition }) => definition)
    .filter((definition) => missing(definition, capabilities) === undefined);

const missing = (definition: ToolDefinition, capabilities: readonly string[]): string | undefined =>
  definition.required_capabilities?.find((name) => !capabilities.includes(name));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

interface Attempt {
  readonly pen: StepOutputs;
  readonly agent: AgentLink;
  readonly call: ExecutePackTool;
  readonly tool: PackTool | undefined;
}

/** Why a call is refused: the first that applies. */
const refusals: readonly ((attempt: Attempt) => string | false | undefined)[] = [
  ({ call }) => (call.request_id ?? '') === '' && 'request_id is required',
  ({ agent, call }) =>
    agent.calls.has(call.request_id ?? '') && `request_id ${call.request_id ?? ''} is outstanding`,
  ({ agent }) => agent.calls.size >= gatewayLimits.calls && `${agent.calls.size} calls are outstanding`,
  ({ tool, call }) => tool === undefined && `unknown tool ${call.tool_name ?? ''}`,
  ({ tool, agent }) => {
    const name = missing(tool?.definition ?? {}, agent.listing?.capabilities ?? []);
    return name !== undefined && `capability ${name} is required`;
  },
  ({ call }) => !isJson(call.input_json ?? '') && 'input_json is not JSON',
  ({ pen, tool }) => pen.state.links.get(tool?.pack ?? '')?.full === true && 'the pack is busy; try again',
];

/** An agent calls a pack's tool. */
export function execute(pen: StepOutputs, agent: AgentLink, call: ExecutePackTool): void {
  const { state } = pen;
  const { request_id = '', tool_name = '', input_json = '' } = call;
  const tool = state.tools.get(tool_name);
  for (const refusal of refusals) {
    const error = refusal({ pen, agent, call, tool });
    if (typeof error === 'string') return pen.toAgent(agent, { pack_tool_result: { request_id, error } });
  }
  const pack = state.links.get(tool?.pack ?? '');
  if (tool === undefined || pack?.kind !== 'pack') return;
  const id = pen.fresh();
  const { principal } = pack;
  state.calls.set(id, { agent: agent.peer, request_id, pack: pack.peer, pack_id: pack.id, principal });
  agent.calls.set(request_id, id);
  pack.calls.add(id);
  pen.send(pack.peer, { execute_tool: { tool_name, input_json, request_id: id } });
  const seconds = tool.definition.timeout_seconds ?? 0;
  pen.startTimer(`pack:${id}`, seconds > 0 ? seconds * 1000 : pen.settings.timeouts.pack);
}

type PackAnswer = { readonly output_json: string } | { readonly error: string };

/** The one result of a call, to the agent that made it. @returns the call, if it was out */
function finishCall(pen: StepOutputs, id: string, answer: PackAnswer): PackCall | undefined {
  const call = forgetCall(pen, id);
  const agent = agentOn(pen.state, call?.agent);
  if (call === undefined || agent === undefined) return call;
  const result: PackToolResult = { request_id: call.request_id, ...answer };
  pen.toAgent(agent, { pack_tool_result: result });
  return call;
}

function forgetCall(pen: StepOutputs, id: string): PackCall | undefined {
  const { calls, links } = pen.state;
  const call = calls.get(id);
  if (call === undefined) return undefined;
  calls.delete(id);
  pen.stopTimer(`pack:${id}`);
  agentOn(pen.state, call.agent)?.calls.delete(call.request_id);
  const pack = links.get(call.pack);
  if (pack?.kind === 'pack') pack.calls.delete(id);
  return call;
}

/** No result came in time. */
export function callTimedOut(pen: StepOutputs, id: string): void {
  const call = finishCall(pen, id, { error: 'timeout: the pack sent no result in time' });
  if (call === undefined) return;
  pen.tell('pack call timed out', `${call.request_id} of pack ${call.pack_id}`);
  pen.state.late.set(id, call);
  keepLast(pen.state.late, gatewayLimits.late);
}

/** The agent is gone: nobody waits for its calls. */
export function dropCalls(pen: StepOutputs, agent: AgentLink): void {
  for (const id of agent.calls.values()) forgetCall(pen, id);
}

/** All calls that are out end in error. */
export function failCalls(pen: StepOutputs, error: string): void {
  for (const id of pen.state.calls.keys()) finishCall(pen, id, { error });
}

/** A pack's result. It is answered with Empty, wanted or not. */
export function result(pen: StepOutputs, link: ResultLink, response: ExecuteToolResponse): void {
  const { state } = pen;
  const id = response.request_id ?? '';
  const call = state.calls.get(id) ?? state.late.get(id);
  if (call === undefined) pen.tell('ignored', `a result for no call: ${id}`);
  else if (call.principal !== link.principal)
    pen.tell('ignored', `a result by ${link.principal} for a call of pack ${call.pack_id}`);
  else if (state.late.delete(id)) asInjection(pen, call, answerOf(response));
  else finishCall(pen, id, answerOf(response));
  pen.send(link.peer, { empty: {} });
  pen.close(link.peer, code.ok, '');
  state.links.delete(link.peer);
}

function answerOf({ output_json, error }: ExecuteToolResponse): PackAnswer {
  if (output_json !== undefined) return { output_json };
  return { error: error ?? 'the pack sent no result' };
}

/** A result that comes too late for its call reaches a busy agent as context ("Async tool results from Packs"). */
function asInjection(pen: StepOutputs, call: PackCall, answer: PackAnswer): void {
  const agent = agentOn(pen.state, call.agent);
  const open = agent !== undefined && agent.requests.size > 0 && !agent.full;
  if (!open || !agent.features.has('injection'))
    return pen.tell('ignored', `a late result of pack ${call.pack_id}`);
  const source = `pack:${call.pack_id}`;
  const said = 'error' in answer ? `error: ${answer.error}` : answer.output_json;
  const content = `Tool result from ${source} - ${said}`;
  push(pen, agent, { content, priority: 'INJECTION_PRIORITY_NORMAL', source });
}
