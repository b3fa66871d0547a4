/** The spec room of tokens: requirements that load, and that cite what there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot, readRequirements } from '../kit/spec/index.ts';
import { stopReasons } from '../kit/base/index.ts';
import { summaryHeadings } from './manager/message-summarizer.ts';
import { failureKinds } from './manager/retry.ts';
import { tokensTestee } from './testee.ts';

const readme = readFileSync(join(packageRoot(), 'spec', 'tokens', 'README.md'), 'utf8');

describe('the requirements of tokens', () => {
  const { protocol, requirements } = readRequirements('tokens');

  it('are TOK-01 to TOK-53, in order, and owed by a manager', () => {
    expect(protocol).toBe('tokens');
    const ids = Array.from({ length: 53 }, (_, i) => `TOK-${String(i + 1).padStart(2, '0')}`);
    expect(requirements.map(({ id }) => id)).toEqual(ids);
    expect([...new Set(requirements.flatMap(({ roles }) => roles))]).toEqual(['manager']);
  });

  it('say why what no operation reaches is left out', () => {
    const excluded = requirements.filter((row) => row.excluded !== undefined);
    expect(excluded.map(({ id }) => id.slice(4))).toEqual(['12', '26', '31', '32', '38', '41', '42', '46']);
    for (const row of excluded)
      expect(row.excluded).toMatch(/^No external observation: .*own tests check this\.$/);
  });

  it('cite a decision only where the README has one of that number and name', () => {
    const decisions = readme.split('## Decisions')[1] ?? '';
    const cited = requirements.flatMap(({ source: { section } }) =>
      [...section.matchAll(/Wireproof, tokens decisions, (\d+\. [^;]+)/g)].map(
        ([, decision]) => decision ?? '',
      ),
    );
    expect(cited.length).toBeGreaterThan(10);
    for (const decision of cited) {
      const [number = '', name = ''] = decision.split(/(?<=\d\.) /);
      const line = decisions.split('\n').find((text) => text.startsWith(`${number} `));
      expect(line?.replaceAll(/[*`]/g, ''), decision).toMatch(new RegExp(`^${number} ${name}`));
    }
  });
});

describe('the page of tokens', () => {
  it('lists every operation of the reference, every kind of failure, stop reason and heading', () => {
    const { ok } = tokensTestee({ id: 1, op: 'hello' });
    const ops = (ok as { ops: readonly string[] }).ops.filter((op) => op !== 'hello');
    for (const word of [...ops, ...failureKinds, ...stopReasons]) expect(readme).toContain(`\`${word}\``);
    for (const heading of summaryHeadings) expect(readme.replaceAll(/\s+/g, ' ')).toContain(heading);
  });
});
