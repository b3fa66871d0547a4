/** Every suite that is registered is held to the law of suite.test-helper.ts, in a test of its own room. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Registry } from '../src/kit/suite/index.ts';
import * as protocols from './index.ts';
import { sessionsOf } from './sessions.test-helper.ts';

const registry = new Registry(Object.values(protocols));

it.each(registry.suites)('%s is held to the law', (id) => {
  const path = join(import.meta.dirname, id, 'suite.test.ts');
  expect(existsSync(path)).toBe(true);
  expect(readFileSync(path, 'utf8')).toContain('holdToLaw(');
});

it.each(registry.protocols)('the sessions of $name are of suites that are registered', ({ name }) => {
  const strange = [...sessionsOf(name)].filter(([suite]) => !registry.suites.includes(suite));
  expect(strange.map(([suite, [session]]) => `${session?.where}: there is no suite ${suite}`)).toEqual([]);
});
