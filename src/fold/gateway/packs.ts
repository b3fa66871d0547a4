/** Packs: their tools, and agents' calls of these. Each call gets exactly one result (G47–G52). */
import type { Status } from '../../kit/base/index.ts';
import { parseJson } from '../json.ts';
import { code, gatewayLimits } from './options.ts';
import { agentOn, forgetOldest } from './state.ts';
import type { AgentLink, PackCall, PackLink, PackTool, ResultLink } from './state.ts';
import type { Outputs } from './step-outputs.ts';
import { sendInjection } from './injections.ts';
import type { ExecutePackTool, ExecuteToolResponse, PackManifest, ToolDefinition } from '../messages.ts';

/** A pack sent its manifest. */
export function registerPack(out: Outputs, link: PackLink, manifest: PackManifest): void {
  const { state } = out;
  if (link.id !== '') return out.tell('ignored', `a second manifest of pack ${link.id}`);
  const { pack_id = '', tools = [] } = manifest;
  const refused = manifestFault(out, pack_id, tools);
  if (refused !== undefined) return out.end(link.peer, refused.code, refused.message);
  link.id = pack_id;
  link.tools = tools.map(({ name = '' }) => name);
  state.packs.set(pack_id, link.peer);
  for (const definition of tools) state.tools.set(definition.name ?? '', { pack: link.peer, definition });
  out.tell('pack registered', `${pack_id}: ${link.tools.join(', ')}`);
}

/** The reason to refuse a manifest. */
function manifestFault(out: Outputs, pack_id: string, tools: readonly ToolDefinition[]): Status | undefined {
  const { state } = out;
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

/** A pack's stream has ended: its tools are removed, and its open calls end with an error. */
export function packLost(out: Outputs, link: PackLink): void {
  const { state } = out;
  state.links.delete(link.peer);
  if (link.id === '') return;
  state.packs.delete(link.id);
  for (const name of link.tools) state.tools.delete(name);
  for (const id of link.calls) finishCall(out, id, { error: `pack ${link.id} is gone` });
  out.tell('pack gone', link.id);
}

/** The tools that an agent with these capabilities can call. */
export const toolsFor = (out: Outputs, capabilities: readonly string[]): readonly ToolDefinition[] =>
  [...out.state.tools.values()]
    .map(({ definition }) => definition)
    .filter((definition) => missingCapability(definition, capabilities) === undefined);

const missingCapability = (definition: ToolDefinition, capabilities: readonly string[]): string | undefined =>
  definition.required_capabilities?.find((name) => !capabilities.includes(name));

/** A call of a pack's tool, before it is accepted. */
interface Attempt {
  readonly out: Outputs;
  readonly agent: AgentLink;
  readonly call: ExecutePackTool;
  readonly tool: PackTool | undefined;
}

/** The reasons to refuse a call; the first that applies is its error. */
const refusals: readonly ((attempt: Attempt) => string | false | undefined)[] = [
  ({ call }) => (call.request_id ?? '') === '' && 'request_id is required',
  ({ agent, call }) =>
    agent.calls.has(call.request_id ?? '') && `request_id ${call.request_id ?? ''} is outstanding`,
  ({ agent }) => agent.calls.size >= gatewayLimits.calls && `${agent.calls.size} calls are outstanding`,
  ({ tool, call }) => tool === undefined && `unknown tool ${call.tool_name ?? ''}`,
  ({ tool, agent }) => {
    const name = missingCapability(tool?.definition ?? {}, agent.listing?.capabilities ?? []);
    return name !== undefined && `capability ${name} is required`;
  },
  ({ call }) => !parseJson(call.input_json ?? '').ok && 'input_json is not JSON',
  ({ out, tool }) => out.state.links.get(tool?.pack ?? '')?.full === true && 'the pack is busy; try again',
];

/** An agent calls a pack's tool. */
export function callPackTool(out: Outputs, agent: AgentLink, call: ExecutePackTool): void {
  const { state } = out;
  const { request_id = '', tool_name = '', input_json = '' } = call;
  const tool = state.tools.get(tool_name);
  for (const refusal of refusals) {
    const error = refusal({ out, agent, call, tool });
    if (typeof error === 'string') return out.toAgent(agent, { pack_tool_result: { request_id, error } });
  }
  const pack = state.links.get(tool?.pack ?? '');
  if (tool === undefined || pack?.kind !== 'pack') return;
  const id = out.newId();
  const { principal } = pack;
  state.calls.set(id, { agent: agent.peer, request_id, pack: pack.peer, pack_id: pack.id, principal });
  agent.calls.set(request_id, id);
  pack.calls.add(id);
  out.send(pack.peer, { execute_tool: { tool_name, input_json, request_id: id } });
  const seconds = tool.definition.timeout_seconds ?? 0;
  out.startTimer(`pack:${id}`, seconds > 0 ? seconds * 1000 : out.settings.timeouts.pack);
}

type PackAnswer = { readonly output_json: string } | { readonly error: string };

/** Sends the result of a call to its agent. @returns the call; undefined when it was not open */
function finishCall(out: Outputs, id: string, answer: PackAnswer): PackCall | undefined {
  const call = forgetCall(out, id);
  const agent = agentOn(out.state, call?.agent);
  if (call === undefined || agent === undefined) return call;
  out.toAgent(agent, { pack_tool_result: { request_id: call.request_id, ...answer } });
  return call;
}

function forgetCall(out: Outputs, id: string): PackCall | undefined {
  const { calls, links } = out.state;
  const call = calls.get(id);
  if (call === undefined) return undefined;
  calls.delete(id);
  out.stopTimer(`pack:${id}`);
  agentOn(out.state, call.agent)?.calls.delete(call.request_id);
  const pack = links.get(call.pack);
  if (pack?.kind === 'pack') pack.calls.delete(id);
  return call;
}

/** No result came in time. */
export function onPackTimeout(out: Outputs, id: string): void {
  const call = finishCall(out, id, { error: 'timeout: the pack sent no result in time' });
  if (call === undefined) return;
  out.tell('pack call timed out', `${call.request_id} of pack ${call.pack_id}`);
  out.state.late.set(id, call);
  forgetOldest(out.state.late, gatewayLimits.late);
}

/** The agent is lost: its calls are forgotten. */
export function dropCalls(out: Outputs, agent: AgentLink): void {
  for (const id of agent.calls.values()) forgetCall(out, id);
}

/** Ends all open calls with an error. */
export function failCalls(out: Outputs, error: string): void {
  for (const id of out.state.calls.keys()) finishCall(out, id, { error });
}

/** A pack sent a result. The answer is always Empty. */
export function onPackResult(out: Outputs, link: ResultLink, response: ExecuteToolResponse): void {
  const { state } = out;
  const id = response.request_id ?? '';
  const call = state.calls.get(id) ?? state.late.get(id);
  if (call === undefined) out.tell('ignored', `a result for no call: ${id}`);
  else if (call.principal !== link.principal)
    out.tell('ignored', `a result by ${link.principal} for a call of pack ${call.pack_id}`);
  else if (state.late.delete(id)) injectLateResult(out, call, answerOf(response));
  else finishCall(out, id, answerOf(response));
  out.send(link.peer, { empty: {} });
  out.end(link.peer, code.ok, '');
}

function answerOf({ output_json, error }: ExecuteToolResponse): PackAnswer {
  if (output_json !== undefined) return { output_json };
  return { error: error ?? 'the pack sent no result' };
}

/** Sends a result after its call's timeout to a busy agent, as context ("Async tool results from Packs"). */
function injectLateResult(out: Outputs, call: PackCall, answer: PackAnswer): void {
  const agent = agentOn(out.state, call.agent);
  const busy = agent !== undefined && agent.requests.size > 0 && !agent.full;
  if (!busy || !agent.features.has('injection'))
    return out.tell('ignored', `a late result of pack ${call.pack_id}`);
  const source = `pack:${call.pack_id}`;
  const text = 'error' in answer ? `error: ${answer.error}` : answer.output_json;
  const content = `Tool result from ${source} - ${text}`;
  sendInjection(out, agent, { content, priority: 'INJECTION_PRIORITY_NORMAL', source });
}
