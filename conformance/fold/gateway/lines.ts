/** Events of Fold's streams in words for a person. Pure. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { visible } from '../../../src/kit/simulate/index.ts';

/** Characters of a value that are shown. */
const limit = 120;

const json = (value: unknown): string => JSON.stringify(value) ?? '';
const text = (value: unknown): string =>
  visible(typeof value === 'string' ? value : json(value ?? ''), { limit });

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const enumValue = /^(?:TOOL_STATE|INJECTION_PRIORITY)_([A-Z_]+)$/;

/** Enough of an id to tell it from others at a glance. */
const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

/** A field's value: without quotes where it needs none, an id shortened, an enum's value without its prefix. */
function bare(value: unknown): string {
  if (typeof value !== 'string') return json(value);
  if (uuid.test(value)) return shortId(value);
  const name = enumValue.exec(value)?.[1]?.toLowerCase();
  return name ?? (/^[\w./:@-]{1,60}$/.test(value) ? value : json(value));
}

/** Shown elsewhere in the line, or of no use to a reader. */
const hidden: ReadonlySet<string> = new Set([
  'request_id',
  'instance_id',
  'mcp_token',
  'secrets',
  'server_id',
  'input_schema_json',
]);

/** The fields of a message; of a plain value, its JSON. */
function fields(value: unknown): string {
  if (!isObject(value)) return visible(json(value), { limit });
  const shown = Object.entries(value).filter(([key]) => !hidden.has(key));
  return visible(shown.map(([key, field]) => `${key} ${bare(field)}`).join(', '), { limit });
}

/** A message: its kind, the request it is of, and its fields. */
export function messageText(data: object): string {
  const [kind = 'empty', value] = Object.entries(data)[0] ?? [];
  if (!isObject(value)) return `${kind} ${fields(value)}`;
  const id = typeof value['request_id'] === 'string' ? `[${shortId(value['request_id'])}] ` : '';
  if (kind !== 'response') return `${id}${kind} ${fields(value)}`.trimEnd();
  const [event = 'nothing', what] = Object.entries(value).find(([key]) => key !== 'request_id') ?? [];
  return `${id}${event} ${fields(what)}`.trimEnd();
}

/** An event in words; undefined for what nobody needs to see, such as what an operator hears. */
export function textOf({ kind, wire, data, note }: TraceEvent): string | undefined {
  if (wire === 'operator') return undefined;
  switch (kind) {
    case 'message':
      return messageText(data);
    case 'open':
      return `opens ${text(data[':path'])}`;
    case 'end':
      return `ends the stream: ${data['code'] === 0 ? 'OK' : `status ${text(data['code'])} ${text(data['message'])}`}`;
    case 'half_close':
      return 'closes its side of the stream';
    case 'reset':
      return 'is gone: the stream broke';
    case 'undecodable':
      return `bytes that are no message: ${text(note)}`;
    default:
      return undefined;
  }
}
