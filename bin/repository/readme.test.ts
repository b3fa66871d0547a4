/**
 * Every command on README.md and the pages of spec/ works: it is run, or its flags are known. The first two commands of
 * README.md begin .ci/run. The first green checks of the protocols whose examples are in Python or on a provider's SDK are run
 * by readme.thorough.test.ts.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentCommand } from '../protocols/llm-programs.test-helper.ts';
import { scratch, wireproof } from '../run.test-helper.ts';
import {
  commandsOf,
  doors,
  firstChecks,
  firstCommands,
  greenReport,
  lineOf,
  pages,
  protocolCommands,
  protocols,
  read,
} from './readme.test-helper.ts';

/** A command, run as it is written; `change` puts programs of the tests in the place of the reader's. */
const command = (
  among: readonly (readonly string[])[],
  start: string,
  change = (word: string): readonly string[] => [word],
): readonly string[] => {
  const found = among.filter((words) => lineOf(words).startsWith(start));
  expect(found).toHaveLength(1);
  return (found[0] ?? []).flatMap(change);
};

it('each protocol has a first green check, and the README has doors', () => {
  expect(firstChecks).toHaveLength(protocols.length);
  expect(firstCommands.map(([, suite]) => suite)).toEqual(['fold/agent', 'fold/gateway']);
  expect(doors.map(([verb, first]) => `${verb} ${first}`)).toEqual([
    'check fold/agent',
    'check llm/client',
    'check fold/gateway',
    'check llm/server',
    'check koda/engine',
    'check toon/codec',
    'simulate fold/gateway',
    'simulate llm',
    'fixtures generate',
  ]);
});

describe('is green:', () => {
  it('the check of the example agent, with at least 50 of 56 rows exercised', async () => {
    const { counts } = await greenReport(command(firstCommands, 'check fold/agent'));
    expect(counts.pass).toBeGreaterThanOrEqual(50);
    // It is the first green check of Fold, too.
    expect(firstChecks.map(lineOf)).toContain(lineOf(command(firstCommands, 'check fold/agent')));
  });

  it('the check of a program that asks a model', { timeout: 180_000 }, async () => {
    const program = agentCommand('openai-chat', 'refuses');
    const words = command(doors, 'check llm/client', (word) => (word === './my-agent' ? program : [word]));
    const { code, stdout } = await wireproof([...words.slice(0, 1), '--trace', 'off', ...words.slice(1)]);
    // A stranger's program without a statement cannot show all requirements of its suite (4): nothing failed.
    expect([0, 4], stdout.slice(-2000)).toContain(code);
  });

  it('the making of vectors', async () => {
    const folder = join(scratch, 'readme-vectors');
    const words = command(doors, 'fixtures', (word) => [word === 'vectors/' ? folder : word]);
    expect(await wireproof(words)).toMatchObject({ code: 0 });
  });
});

describe('has only flags that its verb knows:', () => {
  const helps = new Map<string, ReturnType<typeof wireproof>>();
  /** The help of a verb. */
  function helpOf(path: readonly string[]): ReturnType<typeof wireproof> {
    const help = helps.get(lineOf(path)) ?? wireproof([...path, '--help']);
    helps.set(lineOf(path), help);
    return help;
  }

  const all = [...pages.flatMap((page) => commandsOf(read(page))), ...protocolCommands, ...firstChecks];
  const lines = new Map(all.map((words) => [lineOf(words), words]));
  it.each([...lines])('%s', async (_, words) => {
    const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    const [verb = '', second = ''] = own;
    const path = ['simulate', 'report', 'fixtures', 'baseline'].includes(verb) ? [verb, second] : [verb];
    const { code, stdout } = await helpOf(path);
    expect(code).toBe(0);
    for (const flag of own.filter((word) => word.startsWith('--')))
      expect(stdout).toMatch(new RegExp(`${flag.replace(/=.*/, '')}\\b`));
  });
});
