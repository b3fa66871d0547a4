/** `wireproof fixtures generate --conversations`: random conversations of the references, as traces. */
import { WireproofError } from '../../src/kit/base/index.ts';
import type { TraceEvent, TraceHeader } from '../../src/kit/base/index.ts';
import { Judge } from '../../src/kit/judge/index.ts';
import {
  conversationsReadme,
  readManifest,
  readUserFile,
  sha256,
  textOfTrace,
  writeSet,
} from '../../src/kit/spec/index.ts';
import type { MadeFile, MadeSet, VectorFault } from '../../src/kit/spec/index.ts';
import { suiteRows } from '../../src/kit/suite/index.ts';
import type { PlayConversation, Suite } from '../../src/kit/suite/index.ts';
import { registry } from '../registry.ts';

/** The most conversations of a suite that one command makes: they are in memory until all are written, some 200 KB each. */
const mostConversations = 200;

/** The scenario in the header of a conversation. */
const scenario = 'conversation';

/** A role's conversations, by the id of its suite. */
type Players = readonly (readonly [suite: string, load: () => Promise<PlayConversation>])[];

/** The suites of a protocol, or the one suite, that have conversations. @throws WireproofError 'usage' without any */
function playersOf(name: string): Players {
  const all: Players = registry.protocols.flatMap((protocol) =>
    Object.entries(protocol.conversations ?? {}).map(
      ([role, load]) => [`${protocol.name}/${role}`, load] as const,
    ),
  );
  const found = all.filter(([suite]) => suite === name || suite.startsWith(`${name}/`));
  if (found.length > 0) return found;
  throw new WireproofError(
    'usage',
    `there are no random conversations of "${name}"; the suites with conversations are ${all.map(([suite]) => suite).join(', ')}`,
  );
}

/** What `--conversations` and `--seed` say. @throws WireproofError 'usage' when they are no such numbers */
function numbersOf(count: string, seed: string): { readonly count: number; readonly from: number } {
  if (!/^[1-9]\d*$/.test(count) || Number(count) > mostConversations)
    throw new WireproofError(
      'usage',
      `--conversations ${count}: expected a whole number from 1 to ${mostConversations}`,
    );
  if (!/^\d{1,9}$/.test(seed))
    throw new WireproofError(
      'usage',
      `--seed ${seed}: expected a whole number, the seed of the first conversation`,
    );
  return { count: Number(count), from: Number(seed) };
}

/**
 * Makes conversations: the same name, count and seed give the same files. One that exercises no requirement is left out.
 *
 * @throws WireproofError 'usage' when none is left
 */
async function conversationsOf(name: string, howMany: string, seed: string): Promise<MadeSet> {
  const players = playersOf(name);
  const { count, from } = numbersOf(howMany, seed);
  const generator = `wireproof fixtures generate ${name} --conversations ${count} --seed ${from}`;
  const files: MadeFile[] = [];
  let revision = '';
  for (const [id, load] of players) {
    const suite = await registry.loadSuite(id);
    ({ revision } = suiteRows(suite));
    const play = await load();
    for (let n = from; n < from + count; n++) files.push(...madeOf(suite, revision, play, n));
  }
  if (files.length === 0)
    throw new WireproofError(
      'usage',
      `no conversation of ${name} exercises a requirement from seed ${from} on: give more --conversations, or another --seed`,
    );
  const readme = conversationsReadme(
    players.map(([id]) => id),
    generator,
  );
  return { protocol: name.split('/')[0] ?? name, revision, generator, readme, files };
}

/** One conversation as a file; none when it exercises nothing. @throws WireproofError 'internal' when it broke a rule of its suite */
function madeOf(suite: Suite, revision: string, play: PlayConversation, seed: number): readonly MadeFile[] {
  const { events, failures } = play(seed);
  const [first] = failures;
  if (first !== undefined)
    throw new WireproofError(
      'internal',
      `the conversation of ${suite.id} with seed ${seed} is wrong: ${first}`,
    );
  if (!exercises(suite, events)) return [];
  const header: TraceHeader = {
    wireproof: 'trace/1',
    suite: suite.id,
    revision,
    seed: String(seed),
    scenario,
    target: 'the reference implementation',
    started: 0,
  };
  const name = `${suite.id.replace('/', '-')}-${seed}.jsonl`;
  return [{ name, text: textOfTrace(header, events), counts: { events: events.length } }];
}

/** Whether a conversation exercises a requirement of its suite. */
function exercises({ judging, protocol, wires = {} }: Suite, events: readonly TraceEvent[]): boolean {
  const judged = new Set([protocol, ...Object.values(wires)]);
  const judge = new Judge(judging);
  for (const event of events) if (event.kind === 'mark' || judged.has(event.wire)) judge.step(event);
  return [...judge.end().values()].some(({ exercised }) => exercised > 0);
}

/** Writes conversations into a folder. @returns lines about them */
export async function generateConversations(
  name: string,
  {
    conversations,
    seed,
    out,
    force,
  }: { readonly conversations: string; readonly seed: string; readonly out: string; readonly force: boolean },
): Promise<string> {
  const set = await conversationsOf(name, conversations, seed);
  const written = writeSet(out, set, { force });
  const events = new Map(
    set.files.map((file) => [file.name, 'events' in file.counts ? `  ${file.counts.events} events` : '']),
  );
  const width = Math.max(...written.map((file) => file.length));
  const lines = written.map((file) => `${file.padEnd(width)}${events.get(file) ?? ''}`.trimEnd());
  const idle = playersOf(name).length * Number(conversations) - set.files.length;
  const without = idle === 0 ? '' : `; left out ${idle} that exercise no requirement`;
  return [...lines, `wrote ${set.files.length} conversations to ${out}; seed ${seed}${without}`, ''].join(
    '\n',
  );
}

const generatorForm = / generate (\S+) --conversations (\d+) --seed (\d+)$/;

/** The differences between the conversations of a folder and those that its generator makes. */
export async function conversationFaults(
  folder: string,
): Promise<{ readonly files: number; readonly faults: readonly VectorFault[] }> {
  const manifest = readManifest(folder);
  const [, name = '', count = '', seed = ''] = generatorForm.exec(manifest.generator) ?? [];
  const { files } = await conversationsOf(name, count, seed);
  const made = new Map(files.map((file) => [file.name, file.text]));
  const faults = [...new Set([...Object.keys(manifest.files), ...made.keys()])].flatMap(
    (file): readonly VectorFault[] => {
      const text = made.get(file);
      const listed = manifest.files[file];
      if (text === undefined) return [{ file, what: 'not among the files that this seed makes' }];
      if (listed === undefined) return [{ file, what: 'not in the manifest; this seed makes it' }];
      const came = readUserFile(`${folder}/${file}`, { kind: 'a trace' });
      if (sha256(came) !== listed.sha256)
        return [{ file, what: `its SHA-256 is ${sha256(came)}; the manifest says ${listed.sha256}` }];
      return came === text
        ? []
        : [
            {
              file,
              at: placeOf(came, text),
              what: 'from here on, it differs from the conversation of this seed',
            },
          ];
    },
  );
  return { files: files.length, faults };
}

/** The line and column of the first difference. */
function placeOf(came: string, made: string): string {
  let i = 0;
  while (i < came.length && came[i] === made[i]) i++;
  const before = came.slice(0, i).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
