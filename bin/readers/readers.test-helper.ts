/**
 * Synchronous work has a budget in time: a timer of 50 ms is late by less than 250 ms, whatever foreign bytes are read. Each
 * reader gets its worst inputs of 1 MB.
 */
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';

/** The size of the inputs (characters). */
export const size = 1_000_000;

/** Repeats a text to the size, between a begin and an end. */
export const filled = (unit: string, begin = '', end = '', most: number = size): string =>
  begin + unit.repeat(Math.max(1, Math.floor((most - begin.length - end.length) / unit.length))) + end;

/** An object with other keys as its text, of the size. */
export const manyKeys = (
  key: (n: number) => string = (n) => `k${n}`,
  value = '1',
  most: number = size,
): string => {
  const members: string[] = [];
  for (let n = 0, length = 2; length < most; n++) {
    const member = `${JSON.stringify(key(n))}:${value}`;
    members.push(member);
    length += member.length + 1;
  }
  return `{${members.join(',')}}`;
};

/** Values of JSON as texts: each is the worst of its kind. Some are no JSON. */
export const worstJson: { readonly [kind: string]: string } = {
  'many keys': manyKeys(),
  'many keys that are numbers': manyKeys((n) => String(n * 7)),
  'one key again and again': filled('"a":1,', '{', '"a":1}'),
  'many empty lists': filled('[],', '[', '[]]'),
  'many empty objects': filled('{},', '[', '{}]'),
  'many small objects': filled('{"a":1},', '[', '{}]'),
  'many texts': filled('"a",', '[', '"a"]'),
  'many large integers': filled('12345678901234567890,', '[', '1]'),
  'many fractions': filled('1.2345678901234567e-300,', '[', '1]'),
  'one long text': filled('x', '"', '"'),
  'one text of escapes': filled('\\n', '"', '"'),
  'one text of escaped quotes': filled('\\"', '"', '"'),
  'one text of backslashes': filled('\\\\', '"', '"'),
  'one text of surrogates': filled('\\ud83d\\ude00', '"', '"'),
  'one text of lone surrogates': filled('\\ud83d', '"', '"'),
  'one long number': filled('1', '1'),
  'one long exponent': filled('0', '1e'),
  '500 levels': `${'['.repeat(500)}${']'.repeat(500)}`,
  'levels in lists': filled(`${'['.repeat(60)}${']'.repeat(60)},`, '[', '1]'),
  'deep lists': filled('[') + filled(']'),
  'deep objects': filled('{"a":'),
  'open quotes': filled('"'),
  'open braces': filled('{'),
  blanks: filled(' '),
  'a text without an end': filled('\\', '"'),
};

/** The time of the timer (ms). */
const timerTime = 50;

/** Most of the lateness of a timer (ms). */
const mostLate = 250;

/**
 * How late a timer of 50 ms is, while `read` runs (ms): the best of three tries, because the machine may be loaded. A try
 * that is good enough ends it; one that is not is taken for an idle machine.
 */
async function lateness(read: () => unknown): Promise<number> {
  let best = Infinity;
  for (let tries = 0; tries < 3 && best >= mostLate / 2; tries++) {
    const late = await once(read);
    best = Math.min(best, late < mostLate ? late : late / slowness());
  }
  return best;
}

/** How late the latest of the timers is that follow each other until `read` has ended (ms). */
async function once(read: () => unknown): Promise<number> {
  let [latest, began] = [0, performance.now()];
  let timer: NodeJS.Timeout | undefined;
  const note = (): void => void (latest = Math.max(latest, performance.now() - began - timerTime));
  const start = (): void => {
    began = performance.now();
    timer = setTimeout(() => {
      note();
      start();
    }, timerTime);
  };
  start();
  try {
    await read();
  } catch {
    // A refusal.
  }
  note();
  clearTimeout(timer);
  return latest;
}

/** The time of {@link work} on an idle machine of two cores (ms). */
const usual = 70;

/** Work that has nothing of the kit: Node parses lists. */
const work = (): unknown => JSON.parse(worstJson['levels in lists'] ?? '[]');

/** How many times slower this machine is at this moment than an idle one: at least 1. A loaded machine fails no test. */
function slowness(): number {
  const began = performance.now();
  work();
  return Math.max(1, (performance.now() - began) / usual);
}

/** Gives bytes as sockets and pipes do: the event loop turns between two chunks. */
export async function inChunks(all: Uint8Array, take: (chunk: Uint8Array) => unknown): Promise<void> {
  for (let at = 0; at < all.length; at += 65_536) {
    take(all.subarray(at, at + 65_536));
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** What a reader does with an input. */
type Read<Input> = (input: Input) => unknown;

/** Holds each reader to the budget, for each input. */
export function holds<Input>(
  readers: { readonly [reader: string]: Read<Input> },
  inputs: { readonly [input: string]: Input },
): void {
  describe.each(Object.entries(readers))('%s', (reader, read) => {
    it.each(Object.entries(inputs))('%s', async (input, value) => {
      const late = await lateness(() => read(value));
      console.log(`${reader}: ${input}: ${Math.round(late)} ms late`);
      expect(late).toBeLessThan(mostLate);
    });
  });
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const parsed = (text: string): unknown => JSON.parse(text);

/** The values that are JSON, not too deep. */
export const values: { readonly [kind: string]: string } = Object.fromEntries(
  Object.entries(worstJson).filter(([, text]) => {
    try {
      parsed(text);
      return !text.startsWith('[[[[') || text.length < size;
    } catch {
      return false;
    }
  }),
);
