/** Blocks of the provider's own in scripts: their words, and the dialects that skip them. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { scriptPlayer } from '../streamer/player.ts';
import { dialects } from '../messages.ts';
import type { DialectName, LlmRequest } from '../messages.ts';
import { script } from './builder.ts';
import { checkScript } from './check.ts';

const fallback = { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } };
const program = { type: 'program', id: 'prg_1' };

const refusalOf = (step: Json): string | undefined => {
  const checked = checkScript({ turns: [{ steps: [step] }] });
  return checked.ok ? undefined : `${checked.error.path}: ${checked.error.message}`;
};

const requestIn = (dialect: DialectName): LlmRequest => ({
  ...{ dialect, model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [] },
  ...{ stream: true, includeUsage: true },
});

describe('a block of the provider', () => {
  it('has the same words in code and in a document', () => {
    const forms = { anthropic: fallback, 'openai-responses': program };
    const built = script().providerBlock(forms).build();
    const document = { turns: [{ steps: [{ provider_block: forms }] }] };
    expect(checkScript(document)).toEqual({ ok: true, value: built });
  });

  it('has a type, is of a dialect with such blocks, and is JSON', () => {
    expect(refusalOf({ provider_block: { anthropic: { from: 'a' } } })).toMatch(/type/);
    expect(refusalOf({ provider_block: { ollama: fallback } })).toMatch(/ollama/);
    expect(refusalOf({ provider_block: {} })).toMatch(/provider_block/);
    expect(refusalOf({ provider_block: { anthropic: { type: 'x', n: 2 ** 60 } } })).toMatch(/2\^53/);
  });

  it('is sent in the dialects that it names, and skipped in the others', () => {
    const { turns } = script().text('Hi.').providerBlock({ anthropic: fallback }).build();
    for (const dialect of dialects) {
      const player = scriptPlayer({ model: 'm', tokenizer: { units: 4 }, turns }, { random: seededRandom });
      const answer = player.answer(player.start(), requestIn(dialect));
      const blocks = 'generation' in answer ? answer.generation?.blocks.map(({ kind }) => kind) : undefined;
      expect(blocks).toEqual(dialect === 'anthropic' ? ['text', 'provider_block'] : ['text']);
    }
  });
});
