/** The law of cuts (SEP-03): how an output is cut into chunks changes no event. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { anyOutputs } from './arbitrary-documents.ts';
import { coalesced } from './parser/events.test-helper.ts';
import { parseSep } from './parser/parser.ts';

/** The parts of an output in which it may be cut: its characters, its bytes, or pieces as models write them. */
const parts: { readonly [kind: string]: (output: string) => readonly (string | Uint8Array)[] } = {
  characters: (output) => output.split(''),
  bytes: (output) => [...new TextEncoder().encode(output)].map((byte) => Uint8Array.of(byte)),
  tokens: (output) => output.match(/<\/?|\w{1,4}|\s+|[^]/gu) ?? [],
};

export const kindsOfCuts: readonly string[] = Object.keys(parts);

/** Puts parts together to chunks: a part begins a chunk where its number says so. */
function chunksOf(
  all: readonly (string | Uint8Array)[],
  begins: readonly boolean[],
): readonly (string | Uint8Array)[] {
  const chunks: (string | Uint8Array)[] = [];
  for (const [i, part] of all.entries()) {
    const last = chunks.at(-1);
    if (last === undefined || begins[i % begins.length] === true) chunks.push(part);
    else chunks[chunks.length - 1] = joined(last, part);
  }
  return chunks;
}

const joined = (a: string | Uint8Array, b: string | Uint8Array): string | Uint8Array =>
  typeof a === 'string' || typeof b === 'string' ? `${String(a)}${String(b)}` : Uint8Array.from([...a, ...b]);

/** Checks the law with so many random cuts of any outputs. */
export function holdCuts(kind: string, count: number): void {
  const begins = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(anyOutputs, begins, (output, cut) => {
      // Half of a character is another one in bytes.
      const whole = output.toWellFormed?.() ?? output;
      const chunks = chunksOf(parts[kind]?.(whole) ?? [], cut);
      expect(coalesced(parseSep(chunks as readonly string[]))).toEqual(coalesced(parseSep(whole)));
    }),
    { numRuns: count },
  );
}
