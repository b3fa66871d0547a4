/** Self-tests of model servers: a server that refuses everything, and scenarios of one dialect each. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { llmServerSuite } from './suite.ts';
import { serverScenarios } from './scenarios.ts';

const scenarios = serverScenarios();

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

/** The requirements that a target exercises and violates, over all scenarios. */
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

describe('llm/server', () => {
  it(
    'passes only the requirement of refusals for a server that refuses everything',
    { timeout: 60_000 },
    () => {
      // A refused WebSocket has no answer that a trace shows.
      const openai = scenarios.filter(({ name }) => /^openai-(?!responses-ws)/.test(name));
      const { exercised, violated } = tour(refusing, openai);
      expect([...exercised]).toEqual(['LLM-S17']);
      expect([...violated]).toEqual([]);
    },
  );

  it('has each scenario in one dialect, for its drive', () => {
    const lost = scenarios.filter(({ name, needs }) => !name.startsWith(`${needs.drive[0] ?? ''}-`));
    expect(lost).toEqual([]);
  });
});
