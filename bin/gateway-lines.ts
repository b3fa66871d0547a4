/** Live traffic of a simulated gateway as lines for a person: when, whose, which way, what. Pure. */
import { visible } from '../src/kit/report/index.ts';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { isObject } from '../src/kit/base/index.ts';

/** Characters of a value that are shown. */
const shown = 120;

/** The few words that say what a value is: texts as they are, the rest as JSON. */
function brief(value: unknown): string {
  if (typeof value === 'string') return visible(JSON.stringify(value), { limit: shown });
  if (!isObject(value)) return visible(JSON.stringify(value) ?? '', { limit: shown });
  const parts = Object.entries(value)
    .filter(([key]) => !hidden.has(key))
    .map(([key, v]) => `${key} ${typeof v === 'string' ? bare(v) : JSON.stringify(v)}`);
  return visible(parts.join(', '), { limit: shown });
}

/** A text without quotes where it needs none; of a long id its beginning, of an enum's value what tells it apart. */
function bare(text: string): string {
  if (uuid.test(text)) return shortId(text);
  const name = /^(?:TOOL_STATE|INJECTION_PRIORITY)_([A-Z_]+)$/.exec(text)?.[1];
  if (name !== undefined) return name.toLowerCase();
  return /^[\w./:@-]{1,60}$/.test(text) ? text : JSON.stringify(text);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Shown elsewhere in the line, or of no use to a reader. */
const hidden = new Set([
  'request_id',
  'instance_id',
  'mcp_token',
  'secrets',
  'server_id',
  'input_schema_json',
]);

/** A message in few words: its kind, the request it is of, and what it says. */
export function messageLine(data: TraceEvent['data']): string {
  const [kind = 'empty', value] = Object.entries(data)[0] ?? [];
  if (!isObject(value)) return `${kind} ${brief(value)}`;
  const id = typeof value['request_id'] === 'string' ? `[${shortId(value['request_id'])}] ` : '';
  if (kind !== 'response') return `${id}${kind} ${brief(value)}`.trimEnd();
  const [event = 'nothing', what] = Object.entries(value).find(([key]) => key !== 'request_id') ?? [];
  return `${id}${event} ${brief(what)}`.trimEnd();
}

/** Enough of an id to tell it from others at a glance. */
export const shortId = (id: string): string => visible(id.length > 12 ? `${id.slice(0, 8)}…` : id);

/** One event as a line; undefined for what nobody needs to see. */
export function eventLine(event: TraceEvent, who: string): string | undefined {
  const time = `${(event.at / 1000).toFixed(3)}s`.padStart(9);
  const arrow = event.from === 'target' ? '→' : '←';
  const name = visible(who, { limit: 24 }).padEnd(12);
  const what = whatOf(event);
  return what === undefined ? undefined : `${time}  ${name} ${arrow} ${what}`;
}

function whatOf(event: TraceEvent): string | undefined {
  switch (event.kind) {
    case 'message':
      return messageLine(event.data);
    case 'open':
      return `opens ${textOf(event.data[':path'])}`;
    case 'end':
      return `ends the stream: ${statusOf(event.data)}`;
    case 'half_close':
      return 'will say no more';
    case 'reset':
      return 'is gone: the stream broke';
    case 'undecodable':
      return `bytes that are no message: ${visible(event.note ?? '', { limit: shown })}`;
    default:
      return undefined;
  }
}

const statusOf = (data: TraceEvent['data']): string =>
  data['code'] === 0 ? 'OK' : `status ${textOf(data['code'])} ${textOf(data['message'])}`;

const textOf = (value: unknown): string =>
  visible(typeof value === 'string' ? value : JSON.stringify(value ?? ''), { limit: shown });
