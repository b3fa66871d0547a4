/** `wireproof limits`: lists every limit and timeout, and the flag or key that sets it. */
import { traceMemory } from '../../src/kit/suite/index.ts';
import { entryOf, mostJsonLevels } from '../../src/kit/base/index.ts';
import { documentLimits } from '../../src/kit/spec/index.ts';
import { bodiesInFlight, httpServerBounds, idleConnection } from '../../src/kit/transport/index.ts';
import type { Limit } from '../../src/kit/suite/index.ts';
import { registry } from '../registry.ts';
import { print } from '../output/terminal.ts';
import { timeoutWords } from '../words/timeout-words.ts';

const kitLimits: readonly Limit[] = [
  {
    limit: "the kit's own files: size",
    value: `${documentLimits.bytes >> 10} KiB, without aliases or tags`,
    set_by: '-',
  },
  { limit: "the kit's own files: nesting", value: String(documentLimits.depth), set_by: '-' },
  { limit: 'JSON of a peer: nesting', value: String(mostJsonLevels), set_by: '-' },
  {
    limit: 'kept output of a target',
    value: 'the last 64 KiB; the rest is read and dropped',
    set_by: '-',
  },
  {
    limit: 'the traces of a run in memory',
    value: `${traceMemory >> 20} MiB; a target that sends more is stopped, and the run has its report`,
    set_by: '-',
  },
  {
    limit: 'bodies in flight at a server of the kit',
    value: `${bodiesInFlight >> 20} MiB in all; the largest is refused with 503, or close code 1013`,
    set_by: '-',
  },
  {
    limit: 'connections of an HTTP or WebSocket server',
    value: `${httpServerBounds.connections}; a further one takes the place of one that waits for no answer`,
    set_by: '-',
  },
  {
    limit: 'a request to an HTTP server: time to arrive',
    value: `${httpServerBounds.request / 1000} s`,
    set_by: '-',
  },
  {
    limit: 'a gRPC connection without a stream',
    value: `${idleConnection / 1000} s, then the kit closes it`,
    set_by: '-',
  },
  { limit: 'open files', value: 'at least 64', set_by: 'ulimit -n' },
  {
    limit: 'targets side by side',
    value: '8; fewer if the limit of open files is low, or while the machine is busy',
    set_by: '--jobs',
  },
];

/** Runs the verb. */
export async function limits(flags: { readonly json?: boolean }): Promise<void> {
  const own = await Promise.all(registry.protocols.map(async ({ limits: load }) => (await load?.()) ?? []));
  const all: ExplainedLimit[] = [...kitLimits, ...own.flat()];
  for (const { id, timeouts } of await registry.loadAll()) {
    for (const [name, ms] of Object.entries(timeouts)) {
      all.push({
        limit: `${id}: ${name}`,
        value: `${ms} ms`,
        ...meaningOf(name),
        set_by: `--timeout ${name}=…, or timeouts.${name} of the statement`,
      });
    }
  }
  if (flags.json === true) return void process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  const widths = [
    Math.max(...all.map((l) => l.limit.length)),
    Math.max(...all.map((l) => l.value.length)),
  ] as const;
  const table = all.map(
    ({ limit, value, set_by }) => `${limit.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${set_by}\n`,
  );
  print(table.join('') + timeoutText(new Set(all.flatMap(({ name }) => name ?? []))));
}

/** A limit, and of a timeout also its name and its meaning. */
type ExplainedLimit = Limit & { readonly name?: string; readonly meaning?: string };

function meaningOf(name: string): { readonly name: string; readonly meaning?: string } {
  const meaning = entryOf(timeoutWords, name);
  return meaning === undefined ? { name } : { name, meaning };
}

/** The meaning of each timeout, below the table. */
function timeoutText(names: ReadonlySet<string>): string {
  const explained = [...names].toSorted().flatMap((name) => {
    const meaning = entryOf(timeoutWords, name);
    return meaning === undefined ? [] : [`  ${name.padEnd(10)}  ${meaning}\n`];
  });
  return `\nWhat waits for what. --timeout NAME=5s sets one for a run, timeouts: { NAME: 5s } of the statement for all; --timeout-scale 3 multiplies all.\n${explained.join('')}`;
}
