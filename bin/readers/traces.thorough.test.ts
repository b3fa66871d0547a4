/** `judge` and `view` of recorded traces, by the rules of each suite; see readers.test-helper.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { sessionNamed } from '../../conformance/sessions.test-helper.ts';
import { htmlReport } from '../../src/kit/report/index.ts';
import { judgeTrace } from '../check/judge-trace.ts';
import { recordedTrace } from '../traces/source.ts';
import { filled, holds, size, worstJson } from './readers.test-helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The names of members whose texts tell things apart. */
const naming = /(id|stream|conn|key|name)$/i;

/** A value with other ids in it, so that each copy is of another thing. */
function renamed(value: unknown, n: number, key = ''): unknown {
  if (typeof value === 'string') return naming.test(key) && value !== '' ? `${value}-${n}` : value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, n, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, n, name)]));
}

/** How an event of a session is repeated: as it is, with other ids in its data, or on another stream, too. */
const ways = {
  'as it is': (event: TraceEvent) => event,
  'with other data': (event: TraceEvent, n: number) => ({ ...event, data: renamed(event.data, n) }),
  'on other streams': (event: TraceEvent, n: number) => renamed(event, n),
} as const;

/** A session whose whole rest, or the first event with a text, is repeated to half the size: the rules of a suite take up to 0.1 ms for an event. */
function repeated(session: string, text: string | undefined, way: keyof typeof ways): string {
  const [protocol = '', name = ''] = session.split('/');
  const { header, events } = sessionNamed(protocol, name);
  const at = text === undefined ? 1 : events.findIndex((event) => JSON.stringify(event).includes(text));
  const again = text === undefined ? events.slice(1) : events.slice(at, at + 1);
  const out = [JSON.stringify(header)];
  let length = 0;
  const write = (event: object): void => {
    const line = JSON.stringify({ ...event, seq: out.length - 1, at: out.length });
    length += line.length;
    out.push(line);
  };
  for (const event of events.slice(0, at)) write(event);
  for (let n = 0; ; n++) {
    for (const event of again) write(ways[way](event, n) as object);
    if (length >= size / 2) break;
  }
  return `${out.join('\n')}\n`;
}

/** Sessions of each suite, and in them the events that cost their rules most. */
const sessions: readonly (readonly [session: string, text?: string])[] = [
  ['agent/AGENT-01.bad-2'],
  ['agent/AGENT-01.bad-2', '"half_close"'],
  ['agent/AGENT-03.good-3', '"inject_context"'],
  ['fold/FOLD-A01.good'],
  ['fold/FOLD-A01.good', '"register"'],
  ['fold/FOLD-G01.bad'],
  ['fold/FOLD-G01.bad', '"open"'],
  ['fold/FOLD-G47.bad', '"open"'],
  ['koda/KODA-01.client.good'],
  ['koda/KODA-01.client.bad-2', '"turn_start"'],
  ['koda/KODA-01.codec.bad-2'],
  ['koda/KODA-01.engine.good'],
  ['koda/KODA-01.engine.good', '"approval_request"'],
  ['llm/LLM-C01.bad-2'],
  ['llm/LLM-C01.bad-2', '"headers"'],
  ['llm/LLM-S01.bad'],
  ['sep/SEP-01.parser.bad'],
  ['sep/SEP-100.executor.bad-2'],
  ['sep/SEP-38.live.good-2'],
  ['tokens/TOK-01.manager.bad'],
  ['toon/TOON-01.codec.bad-2'],
  ['toon/TOON-34.orchestrator.good', '"TOOL_RESULT"'],
  ['toon/TOON-01.subagent.bad'],
];

const traces = Object.fromEntries(
  sessions.flatMap(([session, text]) =>
    (Object.keys(ways) as (keyof typeof ways)[]).map((way) => [
      `${session} ${text ?? 'all of it'} ${way}`,
      () => repeated(session, text, way),
    ]),
  ),
);

const header =
  '{"wireproof":"trace/1","suite":"fold/agent","revision":"r","seed":"0","scenario":"a","target":"a","started":0}\n';
const event = (data: string): string =>
  `{"seq":0,"at":0,"wire":"fold","conn":"c","stream":"s","from":"target","to":"gateway","kind":"message","data":${data}}\n`;

/** Files that are no traces, and traces whose one event is large. */
const odd: { readonly [kind: string]: () => string } = {
  'line breaks': () => filled('\n', header),
  'short lines': () => filled('a\n', header),
  'one line': () => filled('x', header),
  ...Object.fromEntries(
    Object.entries(worstJson).flatMap(([kind, text]) => [
      [`header: ${kind}`, () => `${text}\n`],
      [`data: ${kind}`, () => header + event(`{"response":${text}}`)],
    ]),
  ),
};

/** The paths of the files: a text is made before its time is taken. */
const written = Object.fromEntries(
  Object.entries({ ...odd, ...traces }).map(([kind, textOf], n) => {
    const path = join(folder, `${n}.jsonl`);
    writeFileSync(path, textOf());
    return [kind, path];
  }),
);

describe('traces', () => {
  holds<string>(
    {
      'judge and view': async (path) => {
        const recorded = await recordedTrace(path);
        const { report, traces } = await judgeTrace(recorded, { only: [], skip: [] });
        await new Promise((resolve) => void setImmediate(resolve));
        return htmlReport(report, { color: false, traces, diagrams: 'all' });
      },
    },
    written,
  );
});
