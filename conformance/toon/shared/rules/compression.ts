/** TOON-14, 15, 19, 20 and 22: how the target compresses payloads. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { exactText } from '../../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';
import { COMPRESSION_THRESHOLD } from '../../../../src/toon/index.ts';
import type { ToonView } from '../view.ts';
import { noted, unreadable } from './frames.ts';

const number = (data: JsonObject, key: string): number | undefined => {
  const value = data[key];
  return typeof value === 'number' ? value : undefined;
};

/** The length of a payload before compression (bytes); undefined when unknown. */
const sizeOf = ({ data }: TraceEvent): number | undefined =>
  number(data, 'expandedLength') ?? number(data, 'payloadLength');

const isCompressed = ({ data }: TraceEvent): boolean => data['expandedLength'] !== undefined;

/** Whether a payload has a run of more than 255 equal bytes, which one triple cannot hold. */
function longRun({ data }: TraceEvent): boolean {
  const text = exactText(data['payload']);
  let run = 0;
  for (let i = 1; i < text.length; i++) {
    run = text[i] === text[i - 1] ? run + 1 : 0;
    if (run >= 255) return true;
  }
  return false;
}

/** A rule that one of some words in the codec's note violates, and that frames with `shows` exercise. */
const compressionRule = (
  requirement: string,
  words: readonly string[],
  expected: string,
  shows: (event: TraceEvent) => boolean,
): Rule<ToonView> =>
  rule({
    requirement,
    listens: ['target'],
    start: () => null,
    step(_, event, view: ToonView) {
      if (event.kind === 'undecodable') return unreadable(requirement, event, view);
      const note = words.map((word) => noted(event, word)).find((text) => text !== undefined);
      if (note !== undefined) return violated(event, `expected ${expected}; ${note}`);
      return shows(event) ? exercised(event) : undefined;
    },
  });

export const compressionRules: readonly Rule<ToonView>[] = [
  compressionRule(
    'TOON-14',
    ['compressed-small'],
    `payloads of at most ${COMPRESSION_THRESHOLD} bytes without compression`,
    (event) => !isCompressed(event) && (sizeOf(event) ?? Infinity) <= COMPRESSION_THRESHOLD,
  ),
  compressionRule(
    'TOON-15',
    ['compressed-not-shorter'],
    'compression only where it makes the payload shorter',
    (event) => (sizeOf(event) ?? 0) > COMPRESSION_THRESHOLD,
  ),
  compressionRule(
    'TOON-19',
    ['run-literal', 'run-short'],
    'runs of 4 to 255 bytes as 0xFF, byte, count, and shorter runs as they are',
    isCompressed,
  ),
  compressionRule(
    'TOON-20',
    ['run-split'],
    'longer runs in parts of 255, and a rest of less than 4 without a triple',
    (event) => isCompressed(event) && longRun(event),
  ),
  compressionRule('TOON-22', [], '', isCompressed),
];
