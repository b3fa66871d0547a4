/** Roles that accept bad frames or reject good ones: TOON-06, 07, 10, 11, 17, 24, 29, 31, 35 and 37 to 39. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { onInput, onReceive } from '../../../../src/kit/suite/index.ts';
import type { Framer } from '../../../../src/kit/world/index.ts';
import {
  HEADER_SIZE,
  MessageType,
  isCompressed,
  serialCompare,
  toonCodec,
  toonFraming,
} from '../../../../src/toon/index.ts';
import type { MessageName, ToonMessage } from '../../../../src/toon/index.ts';
import { changed, framed, joined, payloadIn, refusalOf, utf8 } from './bytes.ts';
import { madeOf, send } from './mutant.ts';
import type { PeerFault, FaultContext, PeerFaults } from './mutant.ts';

const reads = (edit: (frame: Uint8Array) => Uint8Array) => (): PeerFault => ({ reads: edit });

/** Repairs frames that the codec refuses with a code. */
const mends = (code: string, edit: (frame: Uint8Array) => Uint8Array): (() => PeerFault) =>
  reads((frame) => (refusalOf(frame) === code ? edit(frame) : frame));

const text = (frame: Uint8Array): string => new TextDecoder().decode(payloadIn(frame));

/** Turns a text that only lenient readers accept into valid JSON. */
function leniently(json: string): string {
  const mended = json.replaceAll('NaN', 'null');
  return mended.endsWith('}}') || (mended.endsWith('}') && !mended.includes('{}')) ? mended : `${mended}}`;
}

/** Default values of the required fields of each type. */
const required: { readonly [name in MessageName]?: object } = {
  INSTRUCTION: { instruction: 'Say hello.' },
  TOOL_CALL: { toolName: 'wireproof_echo', args: {} },
};

function withDefaults(frame: Uint8Array): Uint8Array {
  const [name] = Object.entries(MessageType).find(([, type]) => type === frame[1]) ?? [];
  const payload: unknown = JSON.parse(text(frame));
  const defaults = required[name as MessageName] ?? {};
  return framed(frame, utf8(JSON.stringify({ ...defaults, ...(isObject(payload) ? payload : {}) })));
}

const version = (frame: Uint8Array): Uint8Array => changed(frame, (bytes) => void (bytes[0] = 1));

/** Mutants that accept bad frames. `ask`: the type of the peer's asks. */
const lenientFaults = (ask: MessageName): PeerFaults => ({
  'any-version': mends('bad-version', version),
  'any-type': mends('bad-type', (frame) => changed(frame, (bytes) => void (bytes[1] = MessageType[ask]))),
  'mends-utf8': mends('bad-utf8', (frame) => framed(frame, utf8(text(frame)))),
  'lenient-json': mends('bad-json', (frame) => framed(frame, utf8(leniently(text(frame))))),
  'drops-cut-triples': mends('bad-rle', (frame) => framed(frame, payloadIn(frame).slice(0, -2))),
  'fills-in': mends('bad-payload', withDefaults),
});

/** A compressed frame, as a reader without compression sees it. */
const unexpanded = (frame: Uint8Array): Uint8Array =>
  changed(frame, (bytes) => {
    if (isCompressed(payloadIn(bytes))) bytes[HEADER_SIZE] = 0;
  });

/** Only expands large payloads. */
function onlyLargeExpanded(frame: Uint8Array): Uint8Array {
  const decoded = toonCodec.decode(frame);
  const size = decoded.ok ? decoded.value.message.expandedLength : undefined;
  return size !== undefined && size <= 1024 ? unexpanded(frame) : frame;
}

/** Drops messages with a smaller measure than an earlier message. */
const dropsEarlier = (measure: (message: ToonMessage) => number) => (): PeerFault => {
  let latest = -1;
  return onReceive((message) => {
    const at = measure(message);
    if (at < latest) return [];
    latest = at;
    return;
  });
};

/** Drops messages with the id of the message before them, or messages with an earlier id. */
const dropsUnordered = (dropped: (compared: number) => boolean) => (): PeerFault => {
  let before: number | undefined;
  return onReceive(({ sequenceId }) => {
    if (before !== undefined && dropped(serialCompare(sequenceId, before))) return [];
    before = sequenceId;
    return;
  });
};

const knownKeys: ReadonlySet<string> = new Set(
  'instruction toolName args requestId success data duration error status progress code message type path content'.split(
    ' ',
  ),
);

/** Calls `instead` for messages with an unknown key. */
const atUnknownKeys = (instead: (context: FaultContext) => void) => (): PeerFault =>
  onReceive(({ payload }, context) => {
    if (Object.keys(payload).every((key) => knownKeys.has(key))) return;
    instead(context);
    return [];
  });

/** Treats every chunk as a frame. */
const chunkwise = (): Framer => ({ push: (chunk) => [chunk], end: () => undefined });

/** Waits for a whole frame, and drops the bytes after it that came with its end. */
function oneFrameARead(): Framer {
  let held: Uint8Array = new Uint8Array();
  return {
    push(chunk) {
      held = joined(held, chunk);
      const [frame] = toonFraming().push(held);
      if (frame === undefined) return [];
      held = new Uint8Array();
      return [frame];
    },
    end: () => undefined,
  };
}

/** Takes all whole frames of a chunk, and drops the rest. */
const wholeFramesOnly = (): Framer => ({ push: (chunk) => toonFraming().push(chunk), end: () => undefined });

/** Treats the payload of an unknown frame as the next frame. */
class PayloadsAsFrames implements Framer {
  #rest: Uint8Array = new Uint8Array();

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#rest = joined(this.#rest, chunk);
    const frames: Uint8Array[] = [];
    while (this.#rest.length >= HEADER_SIZE) {
      const [version, type = 0] = this.#rest;
      const length = new DataView(this.#rest.buffer, this.#rest.byteOffset).getUint32(2, true);
      const known = version === 1 && type >= 1 && type <= 8;
      const size = known ? HEADER_SIZE + length : HEADER_SIZE;
      if (this.#rest.length < size) break;
      frames.push(this.#rest.subarray(0, size));
      this.#rest = this.#rest.subarray(size);
    }
    return frames;
  }

  end(): undefined {
    return undefined;
  }
}

/** Ends the connection at a frame that the codec refuses with a code. */
const closesAt = (refused: string) => (): PeerFault =>
  onInput('undecodable', ({ code }, context) => {
    if (code !== refused) return;
    context.close(1, 'hung up');
    return [];
  });

/** Ignores frames that the codec refuses with a code. */
const ignores = (refused: string) => (): PeerFault =>
  onInput('undecodable', ({ code }) => (code === refused ? [] : undefined));

const refuseKeys = (context: FaultContext): void =>
  send(context, 'ERROR', { code: 'BAD_PAYLOAD', message: 'unknown key' });

/** Mutants that reject unusual but valid frames. */
const overstrictFaults: PeerFaults = {
  'no-compression': reads(unexpanded),
  'only-large-compressed': reads(onlyLargeExpanded),
  'drops-compressed': () =>
    onReceive(({ expandedLength }) => (expandedLength === undefined ? undefined : [])),
  'drops-older-timestamps': dropsEarlier(({ timestamp }) => Number(timestamp)),
  'drops-smaller-ids': dropsEarlier(({ sequenceId }) => sequenceId),
  'drops-repeated-ids': dropsUnordered((compared) => compared === 0),
  'drops-earlier-ids': dropsUnordered((compared) => compared < 0),
  'refuses-unknown-keys': atUnknownKeys(refuseKeys),
  'drops-unknown-keys': atUnknownKeys(() => {}),
  'hangs-up-at-unknown-keys': atUnknownKeys((context) => context.close(1, 'hung up')),
};

/** Mutants with wrong framing. */
const framingFaults: PeerFaults = {
  'chunks-as-frames': () => ({ framing: chunkwise }),
  'one-frame-a-read': () => ({ framing: oneFrameARead }),
  'whole-frames-only': () => ({ framing: wholeFramesOnly }),
  'closes-at-unknown-version': closesAt('bad-version'),
  'closes-at-unknown-type': closesAt('bad-type'),
  'payloads-as-frames': () => ({ framing: () => new PayloadsAsFrames() }),
  'stays-after-oversize': ignores('too-large'),
};

/** Treats a type that only its own side sends as an ask. */
const takesOwn = (own: MessageName, ask: MessageName) => (): PeerFault =>
  onReceive(own, () => [madeOf(ask, { ...required[ask] })]);

export const receivingFaults = (ask: 'INSTRUCTION' | 'TOOL_CALL'): PeerFaults => ({
  ...lenientFaults(ask),
  ...overstrictFaults,
  ...framingFaults,
  'takes-its-own-side': ask === 'INSTRUCTION' ? takesOwn('STATUS', ask) : takesOwn('INSTRUCTION', ask),
});
