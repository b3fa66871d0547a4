/** Describes requests to a simulated provider, and its answers, as lines for a person. Pure. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { visible } from '../../../src/kit/simulate/index.ts';
import type { EventText } from '../../../src/kit/simulate/index.ts';

/** The most characters of a text that are shown. */
const limit = 80;

interface Detail {
  readonly [name: string]: unknown;
}

const quoted = (value: unknown): string => visible(JSON.stringify(value) ?? '', { limit });
const text = (value: unknown): string =>
  typeof value === 'string' ? visible(value, { limit }) : quoted(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A provider's note on a request or answer, in words. Undefined for the messages themselves. */
export function textOf({ kind, data: { told, detail } }: TraceEvent): EventText {
  if (kind !== 'mark' || !isObject(detail)) return undefined;
  const incoming = told === 'request';
  return { who: text(detail['exchange']), incoming, text: incoming ? asked(detail) : answered(detail) };
}

function asked(detail: Detail): string {
  const { method = 'WebSocket', path = '', dialect, model, messages, max_tokens: most, turn, error } = detail;
  const { status, tools, stream, answers, generate } = detail;
  const place = `${text(method)} ${text(path)}`.trim();
  const code = status === undefined ? '' : ` with ${text(status)}`;
  if (error !== undefined) return `${place}  refused${code}: ${text(error)}`;
  if (dialect === undefined) return place;
  const parts = [
    `${text(dialect)}, model ${text(model)}`,
    `${text(messages)} message${messages === 1 ? '' : 's'}`,
    ...(list(tools).length === 0 ? [] : [`tools ${list(tools).map(text).join(' ')}`]),
    ...(most === undefined ? [] : [`at most ${text(most)} tokens`]),
    ...(stream === true ? [] : ['not streamed']),
    ...(Array.isArray(answers) ? [`brings ${answers.map(text).join(' ')}`] : []),
  ];
  const end = generate === false ? 'wants no answer yet' : `turn ${Number(turn) + 1}`;
  return `${place}  ${parts.join(', ')}: ${end}`;
}

function answered(detail: Detail): string {
  const { outcome, stop, units, bytes, text: said, signal, error, calls } = detail;
  const parts = [
    `${text(outcome)}: ${text(stop)}${signal === 'honest' ? '' : ` (${text(signal)})`}`,
    ...(said === '' ? [] : [quoted(said)]),
    ...list(calls).map((call) => {
      const { name, arguments: json, complete } = isObject(call) ? call : {};
      return `${text(name)} ${text(json)}${complete === true ? '' : ' ✂'}`;
    }),
    ...(error === undefined ? [] : [`error ${quoted(error)}`]),
    `${text(units)} units, ${text(bytes)} bytes`,
  ];
  return parts.join('  ');
}
