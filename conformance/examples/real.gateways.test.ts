/**
 * Real gateways in the versions of spec/llm/GATEWAYS.md, on one pair of their statements, judged by the built command. The rows
 * that must fail are those whose cause stands in .config/gateways/reds, with what the source of the gateway says; no other may.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { startNode } from '../command.test-helper.ts';

const pairs: readonly (readonly [gateway: string, pair: string])[] = [
  ['portkey', 'openai-chat over anthropic'],
  ['claude-code-router', 'anthropic over openai-chat'],
  ['litellm', 'anthropic over openai-chat'],
];

/** The exit code for a gateway that could not be installed or started. */
const notMeasured = 3;

describe('real gateways', () => {
  it.for(pairs)(
    '%s fails the rows that its source explains, and no others',
    async ([name, pair], context) => {
      const script = join(packageRoot(), '.config/gateways.mjs');
      const { code, stdout, stderr } = await startNode([script, '--only', name, '--pair', pair]).ended;
      if (code === notMeasured) return context.skip(stderr.trim().split('\n').at(-1) ?? '');
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('failed') });
      expect(stdout).toContain('**fail**');
    },
  );
});
