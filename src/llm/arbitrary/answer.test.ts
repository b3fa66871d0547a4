/** The generators give valid values, and enough of each kind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyArguments, anyGeneration, anyRequest, anyText } from './answer.ts';
import { dialects } from '../messages.ts';
import { isWellFormed } from '../dialects/shared/utf8.ts';

describe('generated requests', () => {
  // LLM-C08: every tool call answered once, none invented, no empty content, no repeated role.
  it.each(dialects)('of %s are conversations that every provider accepts', (dialect) => {
    fc.assert(
      fc.property(anyRequest(dialect), (request) => {
        expect(request.dialect).toBe(dialect);
        let open: readonly string[] = [];
        for (const [i, message] of request.messages.entries()) {
          expect(message.role).toBe(i % 2 === 0 ? 'user' : 'assistant');
          const { content, toolCalls = [], toolResults = [] } = message;
          expect(content !== '' || toolCalls.length + toolResults.length > 0).toBe(true);
          expect(toolResults.map(({ id }) => id)).toEqual(open);
          open = toolCalls.map(({ id }) => id);
        }
        expect(open).toEqual([]);
      }),
    );
  });
});

describe('generated arguments', () => {
  it('survive JSON unchanged', () => {
    fc.assert(
      fc.property(anyArguments, (input) => {
        const again = JSON.parse(JSON.stringify(input)) as unknown;
        expect(again).toEqual(input);
        expect(JSON.stringify(again)).toBe(JSON.stringify(input));
      }),
    );
  });

  it('come in every script, with escapes, fractions and nesting', () => {
    const all = fc.sample(anyArguments, { numRuns: 500, seed: 1 }).map((input) => JSON.stringify(input));
    for (const kind of [
      /[\u0100-\uFFFF]/,
      /\\u/,
      /\\"/,
      /\\n/,
      /-?\d\.\d/,
      /[[{].*[[{]/,
      /true/,
      /null/,
      /"":/,
    ])
      expect(all.filter((json) => kind.test(json)).length, String(kind)).toBeGreaterThan(10);
  });
});

describe('generated text', () => {
  it('is Unicode that UTF-8 can carry', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isWellFormed(text)).toBe(true);
      }),
    );
  });
});

describe('generated generations', () => {
  it.each(dialects)('of %s are complete, cut in text and cut in calls, each often enough', (dialect) => {
    const all = fc.sample(anyGeneration(dialect, { stops: ['refusal'] }), { numRuns: 400, seed: 1 });
    const count = (is: (one: (typeof all)[number]) => boolean): number => all.filter(is).length;
    expect(count(({ transcript }) => transcript.open !== undefined)).toBeGreaterThan(40);
    expect(
      count(({ transcript }) => transcript.open === undefined && transcript.stop === 'max_tokens'),
    ).toBeGreaterThan(40);
    expect(
      count(({ transcript }) => transcript.open !== undefined && transcript.toolCalls.length > 0),
    ).toBeGreaterThan(10);
    expect(count(({ transcript }) => transcript.stop === 'tool_use')).toBeGreaterThan(40);
    expect(count(({ transcript }) => transcript.stop === 'refusal')).toBeGreaterThan(5);
    expect(count(({ transcript }) => transcript.thinking.length > 0)).toBeGreaterThan(40);
  });

  it('end cleanly, or badly in every way with `faults`', () => {
    const kinds = (faults: boolean): number =>
      new Set(
        fc
          .sample(anyGeneration('anthropic', { faults }), { numRuns: 300, seed: 1 })
          .map(({ generation: { end } }) => `${end.signal} ${end.transport} ${end.error !== undefined}`),
      ).size;
    expect([kinds(false), kinds(true)]).toEqual([1, 4 * 3 * 2]);
  });

  it('offer the tools that they call', () => {
    fc.assert(
      fc.property(anyGeneration('anthropic'), ({ request, transcript }) => {
        const names = request.tools.map((tool) => tool.name);
        expect(new Set(names).size).toBe(names.length);
        for (const { name } of transcript.toolCalls) expect(names).toContain(name);
      }),
    );
  });
});
