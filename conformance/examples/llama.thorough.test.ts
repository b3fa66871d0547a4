/**
 * A real llama-server, judged by the built command in its three dialects. The rows that may fail are those that
 * spec/llm/SERVERS.md explains with its source, and no other may.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { llamaServer } from './llama.test-helper.ts';
import type { LlamaServer } from './llama.test-helper.ts';

/** Rows that fail in every run, and rows that fail where the model still loads, or reaches the limit in a call. */
const dialects: readonly (readonly [dialect: string, always: readonly string[], maybe: readonly string[]])[] =
  [
    ['openai-chat', ['LLM-S18'], []],
    ['anthropic', [], ['LLM-S17']],
    ['openai-responses', ['LLM-S30'], ['LLM-S10']],
  ];

/** What the random model must have shown: calls of tools, and the ordinary end of an answer. */
const shown = ['LLM-S01', 'LLM-S02', 'LLM-S11', 'LLM-S20'];

describe('llama-server with a model of random weights', () => {
  let server: LlamaServer;
  beforeAll(() => {
    server = llamaServer();
    if (server.command === undefined) console.warn(`skipped: ${server.why}`);
  }, 300_000);

  it.for(dialects)(
    '%s: the rows fail that its source explains, and no others',
    async ([dialect, always, maybe], context) => {
      const { command, env, why } = server;
      if (command === undefined) return context.skip(why);
      const { report, failed, stderr } = await checked(['llm/server', '--drive', dialect], command, { env });
      expect(failed, stderr).toEqual(expect.arrayContaining([...always]));
      expect([...always, ...maybe], stderr).toEqual(expect.arrayContaining([...(failed ?? [])]));
      const verdicts = new Map(report?.requirements.map(({ id, verdict }) => [id, verdict]));
      expect(shown.map((row) => verdicts.get(row))).toEqual(shown.map(() => 'pass'));
    },
  );
});
