/** What a simulated provider is asked, and what it answers, as lines for a person. Pure. */
import { visible } from '../src/kit/report/index.ts';

/** Characters of a text that are shown. */
const shown = 80;

interface Told {
  readonly [name: string]: unknown;
}

const text = (value: unknown): string =>
  visible(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), { limit: shown });

const quoted = (value: unknown): string => visible(JSON.stringify(value) ?? '', { limit: shown });

/** A line for what a streamer tells; `ms`: since it began. */
export function llmLine(what: string, told: Told, ms: number): string {
  const time = `${(ms / 1000).toFixed(3)}s`.padStart(9);
  const who = text(told['exchange']).padEnd(4);
  return what === 'answered' ? `${time}  ${who} ← ${answered(told)}` : `${time}  ${who} → ${asked(told)}`;
}

function asked(told: Told): string {
  const { method = 'WebSocket', path = '', dialect, model, messages, max_tokens: limit, turn, error } = told;
  const place = `${text(method)} ${text(path)}`.trim();
  if (error !== undefined) return `${place}  refused${statusOf(told)}: ${text(error)}`;
  if (dialect === undefined) return place;
  const tools = told['tools'] as readonly string[];
  const parts = [
    `${text(dialect)}, model ${text(model)}`,
    `${text(messages)} message${messages === 1 ? '' : 's'}`,
    ...(tools.length === 0 ? [] : [`tools ${tools.map(text).join(' ')}`]),
    ...(limit === undefined ? [] : [`at most ${text(limit)} tokens`]),
    ...(told['stream'] === true ? [] : ['not streamed']),
    ...(Array.isArray(told['answers']) ? [`brings ${told['answers'].map(text).join(' ')}`] : []),
  ];
  return `${place}  ${parts.join(', ')}: turn ${Number(turn) + 1}`;
}

const statusOf = ({ status }: Told): string => (status === undefined ? '' : ` with ${text(status)}`);

function answered(told: Told): string {
  const { outcome, stop, units, bytes, text: said, signal, error } = told;
  const calls = told['calls'] as readonly { name: string; arguments: string; complete: boolean }[];
  const parts = [
    `${text(outcome)}: ${text(stop)}${signal === 'honest' ? '' : ` (${text(signal)})`}`,
    ...(said === '' ? [] : [quoted(said)]),
    ...calls.map((call) => `${text(call.name)} ${text(call.arguments)}${call.complete ? '' : ' ✂'}`),
    ...(error === undefined ? [] : [`error ${quoted(error)}`]),
    `${text(units)} units, ${text(bytes)} bytes`,
  ];
  return parts.join('  ');
}
