/**
 * Changes every member of every unit of the reference server's answers, and asks the SDKs: what breaks an SDK must be a
 * MUST of the judge, or have an excuse. `npm run sdks` plays it, and writes the table of spec/llm/SERVER-MUTATIONS.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sdkDialects } from './clients.test-helper.ts';
import type { SdkDialect } from './clients.test-helper.ts';
import { packageRoot, readRequirements } from '../../../../src/kit/spec/index.ts';
import { excuseOf } from './excuses.test-helper.ts';
import { playAll } from './play.test-helper.ts';
import type { Played } from './play.test-helper.ts';
import { everyMember, markdownTable } from './page.test-helper.ts';

const { requirements } = readRequirements('llm');
const levels = new Map(requirements.map(({ id, level }) => [id, level]));

/** The worst level of the rows that see a mutation. */
function levelOf({ rows }: Played): 'MUST' | 'SHOULD' | 'unseen' {
  const seen = [...rows].map((row) => levels.get(row));
  if (seen.includes('MUST')) return 'MUST';
  return seen.includes('SHOULD') ? 'SHOULD' : 'unseen';
}

const head = [
  'answers',
  'mutations',
  'break an SDK',
  'seen as MUST',
  'excused',
  'of these seen as SHOULD',
  'break the reference client only',
];
const table: string[][] = [];

/** The line of the table. */
function lineOf(name: string, all: readonly Played[]): string[] {
  const broken = all.filter((one) => one.broken.size > 0);
  const rest = broken.filter((one) => levelOf(one) !== 'MUST');
  const excused = rest.filter(({ mutation }) => excuseOf(mutation) !== undefined);
  const should = excused.filter((one) => levelOf(one) === 'SHOULD');
  const own = all.filter(({ broken: { size }, reference }) => size === 0 && reference !== undefined);
  const counts = [all, broken, broken.filter((one) => !rest.includes(one)), excused, should, own];
  return [name, ...counts.map(({ length }) => String(length))];
}

/** LM Studio only streams. */
const kinds: readonly { readonly dialect: SdkDialect; readonly stream: boolean }[] = [
  ...sdkDialects.map((dialect) => ({ dialect, stream: true })),
  ...sdkDialects.filter((dialect) => dialect !== 'lmstudio').map((dialect) => ({ dialect, stream: false })),
];

describe('every member of every unit', () => {
  it.each(kinds)('$dialect, stream: $stream', { timeout: 3_600_000 }, async ({ dialect, stream }) => {
    const all = await playAll(dialect, stream);
    table.push(lineOf(`${dialect}, ${stream ? 'streams' : 'whole'}`, all));
    const missed = all.filter(
      (one) => one.broken.size > 0 && levelOf(one) !== 'MUST' && excuseOf(one.mutation) === undefined,
    );
    const shown = missed.map(({ mutation: { kind, place, change }, rows, broken }) =>
      [kind, place, change, [...rows].join(' '), ...[...broken].map((reaction) => reaction.join(': '))].join(
        ' | ',
      ),
    );
    expect(shown).toEqual([]);
    expect(all.length).toBeGreaterThan(100);
  });

  afterAll(() => {
    if (table.length < kinds.length) return;
    const page = join(packageRoot(), 'spec/llm/SERVER-MUTATIONS.md');
    const [named = ''] = readFileSync(page, 'utf8').split(everyMember);
    writeFileSync(page, `${named}${everyMember}${about}\n${markdownTable([head, ...table])}\n`);
  });
});

const about = `
\`npm run sdks\` changes each member of each kind of unit of the reference server's answers in seven ways (missing, null, empty,
another number, another text, a list, false), and asks the SDKs of the dialect, AI SDK and the kit's reference client. A mutation
breaks an SDK if it throws, waits, or gives the program another text or other calls. The run fails if such a mutation is no MUST of
the judge and has no excuse: a model that says other words, a type that a provider may add, a helper that throws where others read
(\`conformance/llm/server/differential/excuses.test-helper.ts\`).
`;
