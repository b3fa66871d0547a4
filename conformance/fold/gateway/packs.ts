/** Packs, their tools, and agents' calls of these tools. */
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import { jsonOf } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { remembered } from '../../../src/fold/index.ts';
import type { AgentMessage, ExecutePackTool, Moment, PackToolResult } from '../../../src/fold/index.ts';
import type { GatewayView, Manifest, PackCall, StreamView, ToolDescription } from './model.ts';
import { membersOf, textOf } from './model.ts';

/** The streams of packs with a valid registration. */
function* livePacks(view: GatewayView): Generator<StreamView> {
  for (const stream of view.streams.values()) {
    if (stream.pack === undefined || stream.pack.flaw !== undefined) continue;
    if (stream.ended === undefined && !stream.disturbed) yield stream;
  }
}

/** A tool that a live pack offers, and the pack's stream. */
export function liveTool(
  view: GatewayView,
  name: string,
): { readonly text: ToolDescription; readonly stream: StreamView } | undefined {
  for (const stream of livePacks(view)) {
    const text = stream.pack?.manifest.tools?.find((tool) => tool.name === name);
    if (text !== undefined) return { text, stream };
  }
  return undefined;
}

/** All tools that live packs offer. */
export const liveTools = (view: GatewayView): readonly ToolDescription[] =>
  [...livePacks(view)].flatMap((stream) => stream.pack?.manifest.tools ?? []);

/** The reason why a manifest must be refused (FOLD-G52); undefined when it is valid. */
export function manifestFlaw(view: GatewayView, manifest: Manifest): string | undefined {
  if ((manifest.pack_id ?? '') === '') return 'an empty pack_id';
  return clashOf(view, manifest)?.flaw;
}

/** The live pack that already has a manifest's pack_id or the name of one of its tools. */
export function clashOf(
  view: GatewayView,
  manifest: Manifest,
): { readonly flaw: string; readonly stream: StreamView } | undefined {
  const id = manifest.pack_id ?? '';
  for (const stream of livePacks(view))
    if (stream.pack?.manifest.pack_id === id) return { flaw: `the pack_id ${id} again`, stream };
  for (const { name = '' } of manifest.tools ?? []) {
    const stream = liveTool(view, name)?.stream;
    if (stream !== undefined) return { flaw: `the tool name ${name} again`, stream };
  }
  return undefined;
}

/** Takes the registration of a pack into the view. */
export function takeManifest(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  if (stream.pack !== undefined) return;
  const manifest: Manifest = membersOf(event.data['manifest']);
  stream.pack = {
    ...momentOf(event),
    manifest,
    flaw: manifestFlaw(view, manifest),
    orders: new Map(),
  };
}

/** Whether two JSON texts mean the same. Texts that are not JSON are compared as they are. */
export function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return canonical(jsonOf(a)) === canonical(jsonOf(b));
  } catch {
    return false;
  }
}

/** JSON with the members of objects in alphabetical order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The capabilities that an agent lacks for a tool. */
export function lacking(stream: StreamView, tool: ToolDescription | undefined): readonly string[] {
  const has = new Set(stream.session.register?.message.capabilities);
  return (tool?.required_capabilities ?? []).filter((capability) => !has.has(capability));
}

/** The fault of a call of a pack tool; undefined when it has none. */
function flawOf(view: GatewayView, stream: StreamView, call: ExecutePackTool, now: number): PackCall['flaw'] {
  if (stream.packCalls.has(call.request_id ?? '')) return 'twice';
  const tool = liveTool(view, call.tool_name ?? '');
  if (tool === undefined) return offeredBefore(view, call.tool_name ?? '', now) ? undefined : 'unknown';
  if (lacking(stream, tool.text).length > 0) return 'lacking';
  const input = call.input_json ?? '';
  return input !== '' && !isJson(input) ? 'bad input' : undefined;
}

/** Whether a pack that is gone offered a tool, or the tool may be the gateway's own. */
function offeredBefore(view: GatewayView, name: string, now: number): boolean {
  for (const { pack, ended, session, offers, disturbed } of view.streams.values()) {
    const recent =
      pack !== undefined && (disturbed || (ended !== undefined && now - ended.at <= view.timeouts.step));
    if (recent && pack.manifest.tools?.some((tool) => tool.name === name) === true) return true;
    if (offers.has(name) && session.phase === 'ready' && ended === undefined) return true;
  }
  return false;
}

/** Takes an agent's call of a tool into the view. Call it before the session takes the message. */
export function takePackCall(
  view: GatewayView,
  stream: StreamView,
  message: AgentMessage,
  now: Moment,
): void {
  const text = message.execute_pack_tool ?? {};
  const id = text.request_id ?? '';
  const flaw = flawOf(view, stream, text, now.at);
  const tool = liveTool(view, text.tool_name ?? '');
  const seconds = tool?.text.timeout_seconds ?? 0;
  const registered = tool?.stream.pack?.at ?? Infinity;
  stream.packCalls.set(id, {
    ...momentOf(now),
    id,
    stream,
    name: text.tool_name ?? '',
    input: text.input_json ?? '',
    flaw,
    timeout: seconds > 0 ? seconds * 1000 : undefined,
    late: view.late,
    served: stream.offers.has(text.tool_name ?? '') || now.at - registered >= view.timeouts.late,
    ordered: undefined,
    pack: undefined,
    ambiguous: false,
    response: undefined,
  });
}

/** Takes a call to a pack into the view. */
export function takeOrder(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const { request_id: id, tool_name: name, input_json: input } = membersOf(event.data['execute_tool']);
  const calls = callers(view, textOf(name), textOf(input));
  const [call] = calls;
  for (const each of calls) {
    each.ordered ??= momentOf(event);
    each.ambiguous ||= calls.length > 1;
  }
  if (call !== undefined && calls.length === 1) call.pack = stream;
  const orders = stream.pack?.orders;
  orders?.set(textOf(id), { call: calls.length === 1 ? call : undefined, seq: event.seq });
  if (orders !== undefined) forgetOldest(orders, remembered);
}

/** The pending calls with a name and an input that no pack has received. */
export function callers(view: GatewayView, name: string, input: string): readonly PackCall[] {
  const found: PackCall[] = [];
  for (const { packCalls } of view.streams.values())
    for (const call of packCalls.values())
      if (call.name === name && call.ordered === undefined && sameJson(call.input, input)) found.push(call);
  return found;
}

/** Takes the answer of a pack into the view. */
export function takeToolResponse(view: GatewayView, { openedBy: by }: StreamView, event: TraceEvent): void {
  const response = membersOf(event.data['tool_response']);
  const id = textOf(response['request_id']);
  const output = typeof response['output_json'] === 'string' ? response['output_json'] : undefined;
  const error = typeof response['error'] === 'string' ? response['error'] : undefined;
  const packs = [...view.streams.values()].filter(({ pack }) => pack !== undefined);
  // Two packs may be called under the same id. A peer of another name has no pack of its own.
  const own = packs.filter(({ openedBy }) => openedBy === by);
  for (const { pack } of own.length > 0 ? own : packs) {
    const call = pack?.orders.get(id)?.call;
    if (call !== undefined) call.response ??= { ...momentOf(event), output, error };
  }
}

export const resultOf = (event: TraceEvent): PackToolResult => membersOf(event.data['pack_tool_result']);

/** Whether a call of a pack tool has been pending on a stream since a moment. */
export function packOutSince(stream: StreamView | undefined, at: number): boolean {
  for (const call of stream?.packCalls.values() ?? [])
    if (call.at <= at && call.flaw !== 'twice') return true;
  return false;
}
