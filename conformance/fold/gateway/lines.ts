/** Writes the events of Fold's streams as text for people. */
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

/** The beginning of a long id. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

/** The value of a field: a simple text without quotes, a UUID shortened, an enum value without its prefix. */
function bare(value: unknown): string {
  if (typeof value !== 'string') return json(value);
  if (uuid.test(value)) return shortId(value);
  const name = enumValue.exec(value)?.[1]?.toLowerCase();
  return name ?? (/^[\w./:@-]{1,60}$/.test(value) ? value : json(value));
}

/** Fields that a line shows elsewhere, or that do not help a reader. */
const hidden: ReadonlySet<string> = new Set([
  'request_id',
  'instance_id',
  'mcp_token',
  'secrets',
  'server_id',
  'input_schema_json',
]);

/** The fields of a message, or the JSON of a plain value. */
function fields(value: unknown): string {
  if (!isObject(value)) return visible(json(value), { limit });
  const shown = Object.entries(value).filter(([key]) => !hidden.has(key));
  return visible(shown.map(([key, field]) => `${key} ${bare(field)}`).join(', '), { limit });
}

/** A message as text: its kind, its request and its fields. */
export function messageText(data: object): string {
  const [kind = 'empty', value] = Object.entries(data)[0] ?? [];
  if (!isObject(value)) return `${kind} ${fields(value)}`;
  const id = typeof value['request_id'] === 'string' ? `[${shortId(value['request_id'])}] ` : '';
  if (kind !== 'response') return `${id}${kind} ${fields(value)}`.trimEnd();
  const [event = 'nothing', payload] = Object.entries(value).find(([key]) => key !== 'request_id') ?? [];
  return `${id}${event} ${fields(payload)}`.trimEnd();
}

/** The text of an event; undefined for events that are not shown, such as those of an operator's stream. */
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
      return `bytes that are not a message: ${text(note)}`;
    default:
      return undefined;
  }
}
