/** Model servers: the suite proves itself. */
import { describe, expect, it } from 'vitest';
import { selftest, simulate } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { llmServerSuite } from './suite.ts';
import { serverScenarios } from './scenarios.ts';

const { requirements } = readRequirements('llm');
const scenarios = serverScenarios();

/** A server that takes requests and says nothing. */
const silent: MakePeer = () => {
  const deaf = { headers() {}, message() {}, halfClose() {}, ended() {}, drained() {}, ping() {} };
  return { begin() {}, accept: () => deaf, command() {}, encode: () => new Uint8Array(), stop() {} };
};

/** A server that refuses everything, as OpenAI does without a key. */
const refusing: MakePeer = () => ({
  begin() {},
  accept(link) {
    return {
      headers() {},
      message() {},
      halfClose() {
        link.headers({ ':status': '401', 'content-type': 'application/json' });
        link.send(Buffer.from('{"error":{"type":"authentication_error","message":"no key"}}'));
        link.close({ code: 0, message: '' });
      },
      ended() {},
      drained() {},
      ping() {},
    };
  },
  command() {},
  encode: () => new Uint8Array(),
  stop() {},
});

/** Rows that a target puts to the test, and those that it violates, over all scenarios. */
function tour(target: MakePeer, played = scenarios): { exercised: Set<string>; violated: Set<string> } {
  const exercised = new Set<string>();
  const violated = new Set<string>();
  for (const scenario of played) {
    const { found } = simulate({ suite: llmServerSuite, scenario, target, seed: '1' });
    for (const [id, { exercised: n, violations }] of found) {
      if (n > 0) exercised.add(id);
      if (violations.length > 0) violated.add(id);
    }
  }
  return { exercised, violated };
}

describe('self-test of llm/server', () => {
  it(
    'finds nothing wrong: no false alarm, no survivor, nothing that fails beside',
    { timeout: 240_000 },
    () => {
      const result = selftest(llmServerSuite, { requirements, scenarios, seed: '1' });
      expect(result.failures).toEqual([]);
      const rows = requirements.filter(
        ({ roles, level, excluded }) => roles.includes('server') && level !== 'MAY' && excluded === undefined,
      );
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map(({ breaks }) => breaks));
      expect(rows.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([]);
    },
  );

  it('finds nothing wrong with the reference in other runs', { timeout: 60_000 }, () => {
    for (const seed of ['2', '3', '4']) {
      const { failures } = selftest(llmServerSuite, { requirements, scenarios, seed, mutants: () => false });
      expect(failures.filter((failure) => !failure.includes('has no mutant'))).toEqual([]);
    }
  });

  it('lets a server that says nothing pass nothing', { timeout: 60_000 }, () => {
    const { exercised, violated } = tour(silent);
    expect([...exercised].filter((id) => !violated.has(id))).toEqual([]);
    expect(violated).toContain('LLM-S02');
  });

  it('lets a server that refuses everything pass no row but that of refusals', { timeout: 60_000 }, () => {
    const openai = scenarios.filter(({ name }) => name.startsWith('openai-'));
    const { exercised, violated } = tour(refusing, openai);
    expect([...exercised]).toEqual(['LLM-S17']);
    expect([...violated]).toEqual([]);
  });

  it('has every scenario in one dialect, for that drive', () => {
    const lost = scenarios.filter(({ name, needs }) => !name.startsWith(`${needs.drive[0] ?? ''}-`));
    expect(lost).toEqual([]);
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });
});
