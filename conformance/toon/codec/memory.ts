/** What is remembered of a codec's answers: what its own validate said of messages, and whether it compresses. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { AnswerMemory, TesteeView } from '../../../src/kit/testee/index.ts';

/** What is remembered. */
export interface CodecMemory {
  /** What the testee's own validate said of messages, by their hex; the newest. */
  readonly validity: Map<string, boolean>;
  /** Whether a message that it encoded came compressed. */
  compresses: boolean;
}

/** Everything before the event at hand. */
export type CodecView = TesteeView<CodecMemory>;

/** Validity is asked just before decoding. */
const validityKept = 8;

/** The memory of a codec's suite. */
export const codecMemory: AnswerMemory<CodecMemory> = {
  start: () => ({ validity: new Map(), compresses: false }),
  take(memory, ok, request) {
    memory.compresses ||= isCompressed(ok);
    const { wire } = request ?? {};
    if (typeof wire !== 'string' || typeof ok['valid'] !== 'boolean') return;
    const { validity } = memory;
    validity.set(wire, ok['valid']);
    const [oldest = ''] = validity.keys();
    if (validity.size > validityKept) validity.delete(oldest);
  },
};

/** Whether a message's payload begins with 0x5A, behind 18 bytes of header. */
const isCompressed = ({ wire }: JsonObject): boolean =>
  typeof wire === 'string' && wire.slice(36, 38).toLowerCase() === '5a';

/** Features that a testee shows to have. */
export const advertised = ({ hello, memory }: CodecView): readonly string[] =>
  memory.compresses || hello?.ops.includes('toon.rle.encode') === true ? ['compression'] : [];
