/** The run-length code of TOON (Task Orchestration Over Node): known answers, both ways, and what it costs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runBytes } from '../arbitrary.ts';
import {
  COMPRESSION_THRESHOLD,
  isCompressed,
  isWorthIt,
  runLengthDecode,
  runLengthEncode,
  writeRuns,
} from './rle.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const run = (byte: number, count: number): Uint8Array => new Uint8Array(count).fill(byte);
const MiB = 1024 * 1024;
const caps = { maxExpanded: 16 * MiB };
const options = { numRuns: 5000, seed: 7 };

/** "RLE of runs of 0x41" and "0xFF × 1, 2, 3": the known answers of the protocol's page. */
const known: readonly (readonly [string, Uint8Array, string])[] = [
  ['3 × 0x41', run(0x41, 3), '414141'],
  ['4 × 0x41', run(0x41, 4), 'ff4104'],
  ['255 × 0x41', run(0x41, 255), 'ff41ff'],
  ['256 × 0x41', run(0x41, 256), 'ff41ff41'],
  ['257 × 0x41', run(0x41, 257), 'ff41ff4141'],
  ['511 × 0x41', run(0x41, 511), 'ff41ffff41ff41'],
  ['1 × 0xFF', run(0xff, 1), 'ffff01'],
  ['2 × 0xFF', run(0xff, 2), 'ffff02'],
  ['3 × 0xFF', run(0xff, 3), 'ffff03'],
  // Split at 255, remainders under 4 literal (TOON-20); every 0xFF escaped, any run length (TOON-21).
  ['258 × 0x41', run(0x41, 258), 'ff41ff414141'],
  ['259 × 0x41', run(0x41, 259), 'ff41ffff4104'],
  ['255 × 0xFF', run(0xff, 255), 'ffffff'],
  ['256 × 0xFF', run(0xff, 256), 'ffffffffff01'],
  ['nothing', run(0, 0), ''],
  ['single bytes', bytes('5a7b7d'), '5a7b7d'],
  ['runs side by side', bytes('4141414142424242ff43'), 'ff4104ff4204ffff0143'],
];

describe('run-length encoding', () => {
  it.each(known)('of %s is known', (_, plain, coded) => {
    expect(hex(runLengthEncode(plain))).toBe(coded);
  });

  it('is what the rules say, of any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(runBytes, fc.uint8Array({ maxLength: 300 })), (plain) => {
        expect(hex(runLengthEncode(plain))).toBe(hex(byTheRules(plain)));
      }),
      options,
    );
  });

  it('finds runs at every place and of every length around 4', () => {
    for (let before = 0; before < 20; before++)
      for (let count = 1; count < 9; count++)
        for (let after = 0; after < 5; after++) {
          const filler = [1, 1, 2, 2, 2, 3, 4, 5, 5, 6, 6, 6, 7, 8, 9, 9, 10, 10, 10, 11];
          const plain = Uint8Array.from([
            ...filler.slice(0, before),
            ...run(0x41, count),
            ...filler.slice(0, after),
          ]);
          expect(hex(runLengthEncode(plain))).toBe(hex(byTheRules(plain)));
        }
  });

  it('can be done in place, and says beforehand whether two bytes are won', () => {
    const noEscape = runBytes.map((plain) => plain.map((byte) => (byte === 0xff ? 0xfe : byte)));
    fc.assert(
      fc.property(noEscape, (plain) => {
        const coded = runLengthEncode(plain);
        expect(isWorthIt(plain, 0, plain.length)).toBe(plain.length - coded.length >= 2);
        const both = new Uint8Array(plain.length + 3);
        both.set(plain, 3);
        const end = writeRuns(both, 3, both.length, both, 3);
        expect(hex(both.subarray(3, end))).toBe(hex(coded));
      }),
      options,
    );
  });

  it('leaves its input as it is, and gives memory of its own', () => {
    const plain = Uint8Array.from([1, 2, 3, 3, 3, 3, 3]);
    const coded = runLengthEncode(plain);
    coded.fill(0);
    expect(plain).toEqual(Uint8Array.from([1, 2, 3, 3, 3, 3, 3]));
  });
});

/** The rules word by word: TOON-19, 20 and 21. */
function byTheRules(plain: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < plain.length;) {
    const byte = plain[i] ?? 0;
    let count = 1;
    while (plain[i + count] === byte && i + count < plain.length && count < 255) count++;
    if (count >= 4 || byte === 0xff) out.push(0xff, byte, count);
    else out.push(...run(byte, count));
    i += count;
  }
  return Uint8Array.from(out);
}

describe('run-length decoding', () => {
  const decoded = (coded: string): unknown => {
    const result = runLengthDecode(bytes(coded), caps);
    return result.ok ? hex(result.value) : [result.error.code, result.error.path];
  };

  it.each(known)('of what %s became gives it back', (_, plain, coded) => {
    expect(decoded(coded)).toBe(hex(plain));
  });

  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(runBytes, fc.uint8Array({ maxLength: 300 })), (plain) => {
        const result = runLengthDecode(runLengthEncode(plain), caps);
        expect(result.ok && hex(result.value)).toBe(hex(plain));
      }),
      options,
    );
  });

  it('takes counts of 1 to 3, and runs in several triples (TOON-23)', () => {
    expect(decoded('ff4101')).toBe('41');
    expect(decoded('ff4102ff4201')).toBe('414142');
    expect(decoded('ff4103ff410441')).toBe('41'.repeat(8));
    expect(decoded('ffff01ffff01')).toBe('ffff');
  });

  it('refuses a triple that is cut off (TOON-24), and says where', () => {
    expect(decoded('41ff')).toEqual(['bad-rle', '@1']);
    expect(decoded('41ff41')).toEqual(['bad-rle', '@1']);
    expect(decoded('ff4104ffff')).toEqual(['bad-rle', '@3']);
  });

  it('refuses a count of 0 (TOON-22), and says where', () => {
    expect(decoded('41ff4100')).toEqual(['bad-rle', '@3']);
    expect(decoded('ff4104ffff00')).toEqual(['bad-rle', '@5']);
  });

  it('takes what expands to just the cap, and refuses one byte more (TOON-26)', () => {
    const limit = { maxExpanded: 260 };
    expect(runLengthDecode(bytes('ff41ffff4105'), limit).ok).toBe(true);
    expect(runLengthDecode(bytes('ff41ffff410542'), limit)).toMatchObject({
      ok: false,
      error: { code: 'too-large' },
    });
    expect(runLengthDecode(run(0x41, 261), limit)).toMatchObject({ ok: false, error: { code: 'too-large' } });
  });

  it('never throws, and never gives more than the cap', () => {
    fc.assert(
      fc.property(
        fc.oneof(runBytes, fc.uint8Array({ maxLength: 60 })),
        fc.nat(2000),
        (coded, maxExpanded) => {
          const result = runLengthDecode(coded, { maxExpanded });
          if (result.ok) expect(result.value.length).toBeLessThanOrEqual(maxExpanded);
          else expect(['bad-rle', 'too-large']).toContain(result.error.code);
        },
      ),
      options,
    );
  });
});

describe('what it costs', () => {
  /** A MiB of triples that stand for 255 bytes each: 85 MiB, five times the cap. */
  const bomb = Uint8Array.from({ length: MiB - (MiB % 3) }, (_, i) => (i % 3 === 1 ? 0x41 : 0xff));

  it('a bomb is refused by counting: memory stays under the cap', () => {
    const used = (): number => process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    const before = used();
    let most = 0;
    for (let i = 0; i < 20; i++) {
      expect(runLengthDecode(bomb, caps)).toMatchObject({ ok: false, error: { code: 'too-large' } });
      most = Math.max(most, used() - before);
    }
    expect(most).toBeLessThan(16 * MiB);
  });

  it('is linear, also in the worst mixtures', () => {
    const mixtures: readonly Uint8Array[] = [
      Uint8Array.from({ length: 4 * MiB }, (_, i) => (i % 2 === 0 ? 0xff : 0x41)),
      Uint8Array.from({ length: 4 * MiB }, (_, i) => (i % 40 === 0 ? 0xff : i % 7)),
      Uint8Array.from({ length: 4 * MiB }, (_, i) => (i % 4 === 3 ? 0 : 0x41)),
      run(0x41, 4 * MiB),
      run(0xff, 4 * MiB),
    ];
    const began = performance.now();
    for (const plain of mixtures) {
      const result = runLengthDecode(runLengthEncode(plain), caps);
      expect(result.ok && Buffer.compare(result.value, plain)).toBe(0);
    }
    // Some 0.3 s; anything quadratic takes hours.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe('detecting compression', () => {
  it('looks at the first byte only, as the document has it', () => {
    expect(isCompressed(bytes('5a'))).toBe(true);
    expect(isCompressed(bytes('5a7b7d'))).toBe(true);
    expect(isCompressed(bytes('7b5a7d'))).toBe(false);
    expect(isCompressed(bytes(''))).toBe(false);
  });

  it('has the threshold of the document', () => {
    expect(COMPRESSION_THRESHOLD).toBe(1024);
  });
});
