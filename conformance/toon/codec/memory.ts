/** The memory of a codec's answers: its own validation of messages, and whether it compresses. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { AnswerMemory, TesteeView } from '../../../src/kit/testee/index.ts';

/** The memory of one run. */
export interface CodecMemory {
  /** The testee's newest answers to `toon.validate`, by the message's hex. */
  readonly validity: Map<string, boolean>;
  /** Whether the testee has encoded a compressed message. */
  compresses: boolean;
}

/** Everything before the event at hand. */
export type CodecView = TesteeView<CodecMemory>;

/** The most kept answers. It is small, because the kit asks for the validity right before the decoding. */
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

/** Whether a message's payload, after 18 bytes of header, begins with 0x5A. */
const isCompressed = ({ wire }: JsonObject): boolean =>
  typeof wire === 'string' && wire.slice(36, 38).toLowerCase() === '5a';

/** The features that a testee has shown. */
export const advertised = ({ hello, memory }: CodecView): readonly string[] =>
  memory.compresses || hello?.ops.includes('toon.rle.encode') === true ? ['compression'] : [];
