/** Reads the events of a parser's answer. Text comes in any pieces; the pieces of a block are put together. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { shown } from '../../../src/kit/testee/index.ts';

/** A response of an answer. Without an event at its end, `final` is that of its text, and `complete` is unknown. */
export interface CameResponse {
  readonly text: string;
  readonly final: boolean;
  readonly complete?: boolean;
}

/** Text of thoughts with the same depth. A thought without a depth, as without sub-thoughts, has `undefined`. */
export interface CameDepth {
  text: string;
  readonly depth: Json | undefined;
}

/** The events of an answer, put together. */
export interface ParsedOutput {
  readonly thought: string;
  readonly depths: readonly CameDepth[];
  readonly text: string;
  readonly responses: readonly CameResponse[];
  readonly feeds: readonly { readonly id: string; readonly text: string }[];
  readonly actions: readonly JsonObject[];
  readonly diagnostics: number;
  /** The kinds of the events, each once in a row. Diagnostics, ends of responses and blanks between blocks have no place in it. */
  readonly order: readonly string[];
  /** All kinds that came. */
  readonly kinds: ReadonlySet<string>;
}

/** The members of an answer while its events are read. */
interface Reading {
  thought: string;
  readonly depths: CameDepth[];
  text: string;
  readonly responses: CameResponse[];
  /** The response that is open. */
  open: CameResponse | undefined;
  readonly feeds: { readonly id: string; text: string }[];
  readonly actions: JsonObject[];
  diagnostics: number;
  readonly order: string[];
  readonly kinds: Set<string>;
}

/** Reads the events of an answer's `ok`. @returns what is wrong with their form, as a text */
export function parsedOutput(ok: JsonObject): ParsedOutput | string {
  const { events } = ok;
  if (!isArray(events)) return `expected ok.events to be an array; came ${shown(events)}`;
  const reading: Reading = {
    thought: '',
    depths: [],
    text: '',
    responses: [],
    open: undefined,
    feeds: [],
    actions: [],
    diagnostics: 0,
    order: [],
    kinds: new Set(),
  };
  for (const [i, event] of events.entries()) {
    const fault = take(reading, event);
    if (fault !== undefined) return `expected events[${i}]${fault}`;
  }
  closeResponse(reading, undefined);
  return reading;
}

/** The member that each kind of event needs. Other kinds are extensions, and are ignored. */
const textKinds: ReadonlySet<unknown> = new Set(['thought', 'text', 'response', 'context_feed']);

/** @returns the end of a sentence about a fault */
function take(reading: Reading, event: Json): string | undefined {
  if (!isObject(event)) return ` to be an object; came ${shown(event)}`;
  const { type, text } = event;
  if (typeof type !== 'string') return `.type to be a text; came ${shown(type)}`;
  reading.kinds.add(type);
  if (textKinds.has(type)) {
    if (typeof text !== 'string') return `.text to be a text; came ${shown(text)}`;
    takeText(reading, type, text, event);
    return undefined;
  }
  if (type === 'action') {
    const { action } = event;
    if (!isObject(action)) return `.action to be an object; came ${shown(action)}`;
    reading.actions.push(action);
    inOrder(reading, type);
  } else if (type === 'response_end') closeResponse(reading, event);
  else if (type === 'diagnostic' && event['level'] !== 'info') reading.diagnostics++;
  return undefined;
}

function takeText(reading: Reading, type: string, text: string, event: JsonObject): void {
  const { id, final } = event;
  if (type === 'context_feed') takeFeed(reading, typeof id === 'string' ? id : '', text);
  if (text === '') return;
  // Blanks between blocks are no output.
  if (type !== 'text' || text.trim() !== '') inOrder(reading, type);
  if (type === 'thought') takeThought(reading, text, event['depth']);
  else if (type === 'text') reading.text += text;
  else if (type === 'response') takeResponse(reading, text, final === true);
}

function takeThought(reading: Reading, text: string, depth: Json | undefined): void {
  reading.thought += text;
  const last = reading.depths.at(-1);
  if (last !== undefined && last.depth === depth) last.text += text;
  else reading.depths.push({ text, depth });
}

function takeFeed(reading: Reading, id: string, text: string): void {
  const last = reading.feeds.at(-1);
  if (last?.id === id) last.text += text;
  else reading.feeds.push({ id, text });
}

function takeResponse(reading: Reading, text: string, final: boolean): void {
  const { open } = reading;
  if (open !== undefined && open.final !== final) closeResponse(reading, undefined);
  reading.open = { text: (reading.open?.text ?? '') + text, final };
}

/** Ends the open response. An end without a text before it is an empty response. */
function closeResponse(reading: Reading, end: JsonObject | undefined): void {
  const { open } = reading;
  reading.open = undefined;
  if (end !== undefined) {
    const { final, complete } = end;
    reading.responses.push({
      text: open?.text ?? '',
      final: final === true,
      complete: complete === true,
    });
  } else if (open !== undefined) reading.responses.push(open);
}

function inOrder({ order }: Reading, kind: string): void {
  if (order.at(-1) !== kind) order.push(kind);
}

/** The members by which pieces of text belong together. */
const sameBlock = (one: JsonObject, other: JsonObject): boolean =>
  textKinds.has(one['type']) &&
  one['type'] === other['type'] &&
  one['id'] === other['id'] &&
  one['depth'] === other['depth'] &&
  one['final'] === other['final'];

/** The events of an answer, with the pieces of each text put together. What is no event stays as it came. */
export function coalesced({ events }: JsonObject): readonly Json[] {
  const made: Json[] = [];
  for (const event of isArray(events) ? events : []) {
    const last = made.at(-1);
    if (isObject(event) && isObject(last) && sameBlock(last, event))
      made[made.length - 1] = { ...last, text: `${textOf(last)}${textOf(event)}` };
    else made.push(event);
  }
  return made;
}

const textOf = ({ text }: JsonObject): string => (typeof text === 'string' ? text : '');
