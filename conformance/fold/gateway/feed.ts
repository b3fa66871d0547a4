/**
 * Compares the replies to a requester with the events of its agent. Text is compared joined, because an operator interface
 * may merge or split chunks. Other events are compared one by one, in order.
 */
import { ToolStateNames, usageCounts, eventOf } from '../../../src/fold/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { EventName, MessageResponse, Moment } from '../../../src/fold/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { ForwardedRequest, OperatorCall, GatewayView, ReplyMeaning, OwedEvent } from './model.ts';
import { membersOf, textOf } from './model.ts';

/** The names of events on operators' streams that differ from the agents' names. */
const faceNames: { readonly [E in EventName]?: string } = {
  tool_approval_request: 'tool_approval',
  cancelled: 'canceled',
};

/** The three ends of a request on operators' streams. */
export const faceTerminals: ReadonlySet<string> = new Set(['done', 'error', 'canceled', 'cancelled']);

/** The names of events on operators' streams. An event of another name is the gateway's own. */
const faceEvents: ReadonlySet<string> = new Set([
  'thinking',
  'text',
  'tool_use',
  'tool_state',
  'tool_approval',
  'tool_result',
  'usage',
  'file',
  'session_init',
  'session_orphaned',
  ...faceTerminals,
]);

/** An event's published name: `cancelled` and `canceled` are one event. */
const published = (name: string): string => (name === 'cancelled' ? 'canceled' : name);

/** The data of a cancellation, by either spelling; undefined for every other event. */
export const canceledIn = ({ data }: TraceEvent): unknown => data['canceled'] ?? data['cancelled'];

/** The events whose text an operator interface may merge or split. */
const joined: ReadonlySet<string> = new Set(['text', 'thinking']);

/** The events that the published operator interface does not have. They need not come. */
const optional: ReadonlySet<string> = new Set(['file', 'session_init', 'session_orphaned']);

/** The rows that demand the forwarding of an event; default FOLD-G20. */
const rowOf: { readonly [name: string]: string } = { usage: 'FOLD-G29', tool_state: 'FOLD-G30' };

/** The row that the loss of an event violates; undefined: the event need not come. */
export function lossRow(item: OwedEvent, asked: ForwardedRequest): string | undefined {
  if (optional.has(item.name)) return undefined;
  const ofTool = item.name === 'tool_use' || item.name === 'tool_result';
  return rowOf[item.name] ?? (ofTool && asked.states ? 'FOLD-G31' : 'FOLD-G20');
}

/** The event that the requester must receive for a response; undefined for a response without a known event. */
export function owedOf(response: MessageResponse, now: Moment): OwedEvent | undefined {
  const event = eventOf(response);
  if (event === undefined) return undefined;
  const data: unknown = response[event];
  const text = joined.has(event) ? String(data) : undefined;
  return { seq: now.seq, at: now.at, name: faceNames[event] ?? event, data, text };
}

/** A tool state on operators' streams: in lower case without its prefix, or the number of an unknown state. */
export const faceState = (state: unknown): string =>
  typeof state === 'number'
    ? String(state)
    : (typeof state === 'string' ? state : 'TOOL_STATE_UNSPECIFIED')
        .replace(/^TOOL_STATE_/, '')
        .toLowerCase()
        .replace('cancelled', 'canceled');

/** The states that the schema defines, as operators see them, and the absence of a state. */
const knownStates: ReadonlySet<string> = new Set(['unspecified', ...ToolStateNames.map(faceState)]);

/** Whether a shown state is the agent's state. An unknown state may have any name but those of the known states. */
function sameState(sent: unknown, shown: unknown): boolean {
  const state = typeof shown === 'number' ? String(shown) : faceState(shown);
  return typeof sent === 'number' ? state !== '' && !knownStates.has(state) : state === faceState(sent);
}

/** Whether a reply is a pending event, with the same or other content. */
function isSameEvent(item: OwedEvent, name: string, data: unknown): boolean {
  if (item.name !== name) return false;
  if (name.startsWith('tool_')) return textOf(membersOf(item.data)['id']) === textOf(membersOf(data)['id']);
  return true;
}

/** Whether a reply has the content of the agent's event. */
function sameContent(item: OwedEvent, data: unknown): boolean {
  const sent = membersOf(item.data);
  const came = membersOf(data);
  const same = (...keys: string[]): boolean => keys.every((key) => textOf(sent[key]) === textOf(came[key]));
  switch (item.name) {
    case 'tool_use':
    case 'tool_approval':
      return same('name', 'input_json');
    case 'tool_result':
      return same('output') && (sent['is_error'] ?? false) === (came['is_error'] ?? false);
    case 'tool_state':
      return sameState(sent['state'], came['state']) && same('detail');
    case 'usage':
      return usageCounts.every((count) => Number(sent[count] ?? 0) === Number(came[count] ?? 0));
    case 'error': // A gateway may add words of its own.
      return textOf(came['error']).includes(textOf(item.data));
    case 'canceled': // FOLD-G38 judges its reason.
      return true;
    case 'file':
      return sameFile(sent, came);
    case 'session_orphaned':
      return same('reason');
    case 'session_init':
      return same('session_id');
    case 'done':
      return (
        textOf(came['full_response']) === '' || same('full_response') || textOf(sent['full_response']) === ''
      );
    default:
      return true;
  }
}

/** Whether a shown file has the agent's content, in the members that the operator interface shows. */
const sameFile = (sent: JsonObject, came: JsonObject): boolean =>
  ['filename', 'mime_type', 'data'].every(
    (key) => came[key] === undefined || textOf(sent[key]) === textOf(came[key]),
  );

/** The first index from `from` on at which the pending chunks begin with a text; -1 when there is none. */
function textAt(owed: readonly OwedEvent[], name: string, text: string, from: number): number {
  for (let i = from; i < owed.length; i++)
    if (owed[i]?.name === name && continuesWith(owed, i, text)) return i;
  return -1;
}

/** Whether the chunks from `i` on, joined, begin with a text. */
function continuesWith(owed: readonly OwedEvent[], i: number, text: string): boolean {
  const { name } = owed[i] ?? {};
  for (let at = 0, j = i; at < text.length; j++) {
    const item = owed[j];
    if (item === undefined || item.name !== name) return false;
    const rest = item.text ?? '';
    if (!text.startsWith(rest, at)) return rest.startsWith(text.slice(at));
    at += rest.length;
  }
  return true;
}

/** Removes a reply from the pending events. */
export function takeOwed(
  asked: ForwardedRequest,
  heard: Extract<ReplyMeaning, { is: 'due' | 'changed' }>,
  data: unknown,
): void {
  const passed = asked.pending.splice(0, heard.index);
  asked.skipped.push(...passed);
  for (const item of asked.skipped.splice(0, Math.max(0, asked.skipped.length - skippedKept))) {
    const row = lossRow(item, asked);
    if (row !== undefined) asked.evicted.set(row, (asked.evicted.get(row) ?? 0) + 1);
  }
  asked.shown++;
  let left = asked.pending[0]?.text === undefined ? 0 : textOf(membersOf(data)['text']).length;
  if (left === 0) return void asked.pending.shift();
  while (left > 0) {
    const [item] = asked.pending;
    if (item?.text === undefined) return;
    const n = Math.min(left, item.text.length);
    left -= n;
    item.text = item.text.slice(n);
    if (item.text === '') asked.pending.shift();
  }
}

/** The most skipped events of one request. */
const skippedKept = 256;

/** The index of a reply among the pending events of a request; -1 when it is not among them. */
function indexOfReply(items: readonly OwedEvent[], name: string, data: unknown): number {
  const text = joined.has(name) ? textOf(membersOf(data)['text']) : undefined;
  if (text !== undefined) return text === '' ? -1 : textAt(items, name, text, 0);
  const whole = items.findIndex((item) => isSameEvent(item, name, data) && sameContent(item, data));
  return whole >= 0
    ? whole
    : items.findIndex((item) => isSameEvent(item, name, data) && !faceTerminals.has(name));
}

/** The meaning of a reply on a requester's stream. */
export function replyMeaning(
  view: GatewayView,
  call: OperatorCall,
  named: string,
  data: unknown,
): ReplyMeaning {
  const { asked } = call;
  const name = published(named);
  if (!faceEvents.has(name)) return { is: 'own' };
  if (asked === undefined) return matchingStray(view, undefined, name, data) ?? { is: 'own' };
  // An empty text is no content: a gateway may send it to keep the connection alive.
  if (joined.has(name) && textOf(membersOf(data)['text']) === '') return { is: 'own' };
  const index = call.terminal === undefined ? indexOfReply(asked.pending, name, data) : -1;
  const item = asked.pending[index];
  if (item !== undefined) {
    if (!joined.has(name) && !sameContent(item, data))
      return { is: 'changed', index, item, row: lossRow(item, asked) ?? 'FOLD-G20' };
    return { is: 'due', index, passed: asked.pending.slice(0, index) };
  }
  const late = asked.skipped[indexOfReply(asked.skipped, name, data)];
  if (late !== undefined) return { is: 'reordered', item: late };
  return matchingStray(view, asked, name, data) ?? notOwed(view, asked, name, data);
}

function notOwed(view: GatewayView, asked: ForwardedRequest, name: string, data: unknown): ReplyMeaning {
  if (faceTerminals.has(name)) return { is: 'own' };
  for (const stream of view.streams.values()) {
    for (const owner of stream.session.active.size > 0 ? stream.requests.values() : []) {
      if (owner === asked || owner.pending.length === 0) continue;
      const item = owner.pending[indexOfReply(owner.pending, name, data)];
      if (item !== undefined) return { is: 'misdirected', owner, item, from: 'owed' };
    }
  }
  return { is: 'unknown' };
}

/** The stray event that a reply shows; undefined when it shows none. */
export function matchingStray(
  view: GatewayView,
  asked: ForwardedRequest | undefined,
  named: string,
  data: unknown,
  id: string | undefined = asked?.request.id,
): Extract<ReplyMeaning, { is: 'stray' }> | undefined {
  const name = published(named);
  for (let i = view.strays.length - 1; i >= 0; i--) {
    const stray = view.strays[i];
    if (stray?.row === undefined || stray.name !== name) continue;
    if (id !== undefined && stray.id !== id && stray.row !== 'FOLD-G22') continue;
    const item: OwedEvent = { ...stray, text: undefined };
    const same = joined.has(name)
      ? textOf(stray.data) === textOf(membersOf(data)['text'])
      : isSameEvent(item, name, data) && sameContent(item, data) && sameWords(item, data);
    if (same || within(stray.data, name, data)) return { is: 'stray', row: stray.row, seq: stray.seq };
  }
  return undefined;
}

/** Whether an error or a cancellation has the agent's own words. Another one may be an event of the request itself. */
function sameWords({ name, data: sent }: OwedEvent, data: unknown): boolean {
  if (name === 'error') return textOf(sent) === textOf(membersOf(data)['error']);
  return name !== 'canceled' || textOf(membersOf(sent)['reason']) === textOf(membersOf(data)['reason']);
}

/** Stray text of at least this length is recognised within merged text (characters). */
const recognisableLength = 4;

const within = (stray: unknown, name: string, data: unknown): boolean =>
  joined.has(name) &&
  textOf(stray).length >= recognisableLength &&
  textOf(membersOf(data)['text']).includes(textOf(stray));
