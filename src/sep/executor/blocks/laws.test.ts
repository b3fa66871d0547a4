/** The laws of the extensions of an output: spec/sep/README.md, "Extensions". */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOutputs, wellFormedOutputs } from '../../arbitrary-documents.ts';
import { blockOutputs, extensionTexts, loopContents, nestedBlocks } from '../../arbitrary-blocks.ts';
import type { LoopPart } from '../../arbitrary-blocks.ts';
import { playRun } from '../scripted-run.ts';
import type { TimedEvent } from '../runner.ts';
import { coalesced } from '../../parser/events.test-helper.ts';
import type { SepEvent } from '../../parser/events.ts';
import { parseSep } from '../../parser/parser.ts';
import { all, eventsOf } from './play.test-helper.ts';

const providers = {
  good: [{ after: 1, output: 1 }],
  bad: [{ after: 0.5, error: 'no' }],
  list: [{ output: ['x', 'y'] }],
  slow: [{ after: 3, output: { a: [2] } }],
  late: [{ after: 5, output: 'x' }],
};

const options = { extensions: all, mostBody: 90 };

describe('an output with the tags of extensions', () => {
  it('is text, character by character, while they are off', () => {
    fc.assert(
      fc.property(extensionTexts, (output) => {
        const events = parseSep(output);
        expect(new Set(events.map(({ type }) => type)).size).toBeLessThan(2);
        expect(events.map((event) => (event.type === 'text' ? event.text : '?')).join('')).toBe(output);
      }),
      { numRuns: 2000 },
    );
  });

  it('SEP-03: has the same events, however it is cut', () => {
    fc.assert(
      fc.property(blockOutputs, fc.integer({ min: 1, max: 9 }), (output, length) => {
        const chunks = output.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        expect(coalesced(parseSep(chunks, options))).toEqual(coalesced(parseSep(output, options)));
      }),
      { numRuns: 3000 },
    );
  });

  it('SEP-03: has the same events, also in bytes', () => {
    fc.assert(
      fc.property(blockOutputs, (output) => {
        const whole = output.toWellFormed?.() ?? output;
        const bytes = [...new TextEncoder().encode(whole)].map((byte) => Uint8Array.of(byte));
        expect(coalesced(parseSep(bytes, options))).toEqual(coalesced(parseSep(whole, options)));
      }),
      { numRuns: 1000 },
    );
  });

  it('has nested blocks that all end', () => {
    fc.assert(
      fc.property(blockOutputs, (output) => {
        const open: string[] = [];
        for (const event of parseSep(output, options)) {
          if (event.type === 'block') open.push(event.name);
          if (event.type === 'block_end') expect(event.name).toBe(open.pop());
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Events with whole texts, without the depth of thoughts, and without the words of remarks: these name types. */
const flat = (events: readonly TimedEvent[]): readonly object[] =>
  coalesced(
    events.flatMap((event): readonly SepEvent[] => {
      if (event.type === 'diagnostic') return event.code === 'too-deep' ? [] : [{ ...event, message: '' }];
      const { depth: _, ...others } = event as TimedEvent & { readonly depth?: number };
      return [others as SepEvent];
    }),
  );

const kinds = ['started', 'completed', 'failed', 'skipped', 'finished', 'response', 'thought', 'text'];

/** What a user sees of a run: neither remarks nor what the blocks add. */
const seen = (events: readonly TimedEvent[], but: readonly string[] = []): readonly object[] =>
  flat(events.filter((event) => kinds.includes(event.type) && !('id' in event && but.includes(event.id))));

describe('a run', () => {
  it('without such tags is the same with all extensions', () => {
    fc.assert(
      fc.property(fc.array(anyOutputs, { minLength: 1, maxLength: 2 }), (written) => {
        const iterations = written.map((one) => [one]);
        const plain = playRun({ iterations, providers: { n: [{ after: 1, output: 1 }] } });
        const extended = playRun({
          iterations,
          providers: { n: [{ after: 1, output: 1 }] },
          extensions: all,
        });
        expect(flat(extended.events)).toEqual(flat(plain.events));
        expect(extended.variables).toEqual(plain.variables);
      }),
      { numRuns: 1000 },
    );
  });

  it('of nested blocks ends, whatever depends on what and fails', () => {
    fc.assert(
      fc.property(nestedBlocks, fc.integer({ min: 1, max: 40 }), (output, length) => {
        const pieces = output.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        const { events } = playRun({ iterations: [pieces, []], providers, extensions: all });
        expect(events.at(-1)?.type).toBe('finished');
        expect(events.length).toBeLessThan(400_000);
        const started = events.flatMap((event) => (event.type === 'started' ? [event.id] : []));
        expect(new Set(started).size).toBe(started.length);
        const declared = events.flatMap((event) => (event.type === 'action' ? [event.action.id] : []));
        const ended = events.flatMap((event) =>
          event.type === 'completed' || event.type === 'failed' || event.type === 'skipped' ? [event.id] : [],
        );
        expect(new Set(ended).size).toBe(ended.length);
        expect(declared.filter((id) => !started.includes(id) && !ended.includes(id))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('of any pieces of blocks ends', () => {
    fc.assert(
      fc.property(fc.array(blockOutputs, { minLength: 1, maxLength: 2 }), (written) => {
        const iterations = written.map((one) => [one]);
        expect(playRun({ iterations, providers, extensions: all }).events.at(-1)?.type).toBe('finished');
      }),
      { numRuns: 1000 },
    );
  });

  it('of nested blocks has the same actions, however the output is cut', () => {
    const others = (events: readonly TimedEvent[]): readonly TimedEvent[] =>
      events.filter(({ type }) => type !== 'response' && type !== 'thought' && type !== 'text');
    fc.assert(
      fc.property(nestedBlocks, fc.integer({ min: 1, max: 20 }), (output, length) => {
        const pieces = output.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        const { events } = playRun({ iterations: [pieces], providers, extensions: all });
        expect(others(events)).toEqual(others(eventsOf(output, { providers })));
      }),
      { numRuns: 1000 },
    );
  });

  it('of a condition that is true is that of the output without its tags', () => {
    fc.assert(
      fc.property(wellFormedOutputs, fc.boolean(), ({ output }, isTrue) => {
        const other = '<thought>other</thought><response>other</response>';
        const block = isTrue
          ? `<if test="true">${output}<else/>${other}</if>`
          : `<if test="false">${other}<else/>${output}</if>`;
        expect(seen(eventsOf(block))).toEqual(seen(eventsOf(output)));
      }),
      { numRuns: 1000 },
    );
  });

  it('of a loop is that of its content written once for each item', () => {
    const write = (
      parts: readonly LoopPart[],
      named: (id: string) => string,
      item: string,
      index: string,
    ): string => parts.map((part) => part.write(named, item, index)).join('');
    fc.assert(
      fc.property(loopContents, fc.array(fc.nat(9), { maxLength: 3 }), (parts, items) => {
        const before = '<action type="tool" mode="async" id="before">{"name":"slow"}</action>';
        const ids = parts.flatMap(({ id }) => id ?? []);
        const loop = write(parts, (id) => id, '$item', '$index');
        const byHand = items.map((item, n) =>
          write(parts, (id) => (ids.includes(id) ? `${id}_${n}` : id), `$v${item}`, `${n}`),
        );
        // The values of items have their type where a parameter is nothing else.
        const variables = Object.fromEntries(items.map((item) => [`v${item}`, item]));
        const looped = eventsOf(`${before}<foreach in="${JSON.stringify(items)}">${loop}</foreach>`, {
          providers,
        });
        const written = eventsOf(`${before}${byHand.join('')}`, { providers, variables });
        expect(seen(looped, ids)).toEqual(seen(written));
      }),
      { numRuns: 1000 },
    );
  });
});
