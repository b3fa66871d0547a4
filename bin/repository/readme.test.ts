/**
 * Every command on README.md and the pages of spec/ works: it is run, or its flags are known. The first two commands of
 * README.md begin .ci/run. The first green checks of the protocols are run by readme.thorough.test.ts.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch, wireproof } from '../run.test-helper.ts';
import {
  command,
  commandsOf,
  doors,
  firstChecks,
  firstCommands,
  lineOf,
  pages,
  protocolCommands,
  protocols,
  read,
} from './readme.test-helper.ts';

it('each protocol has a first green check, and the README has doors', () => {
  expect(firstChecks).toHaveLength(protocols.length);
  expect(firstCommands.map(([, suite]) => suite)).toEqual(['fold/agent', 'fold/gateway']);
  expect(doors.map(([verb, first]) => `${verb} ${first}`)).toEqual([
    'check fold/agent',
    'check llm/client',
    'check fold/gateway',
    'check llm/server',
    'check llm/gateway',
    'check koda/engine',
    'check toon/codec',
    'simulate fold/gateway',
    'simulate llm',
    'drift session.json',
    'fixtures generate',
  ]);
});

describe('is green:', () => {
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
