/**
 * Cuts the bytes of a target into frames, as `toonFraming` does. A length over the limit ends the stream, and is often
 * no length, but a text that the target prints: then the last frame also has the bytes after the header, so that a
 * verdict can quote them.
 */
import type { Framer } from '../../../src/kit/world/index.ts';
import { toonFraming } from '../../../src/toon/index.ts';

/** The most bytes that the last frame has after its header. */
const mostAfter = 110;

export function targetFraming(): Framer {
  const framer = toonFraming();
  /** The received bytes of no frame. */
  let waiting = 0;
  return {
    push(chunk) {
      const frames = framer.push(chunk);
      waiting += chunk.length - frames.reduce((size, frame) => size + frame.length, 0);
      const last = frames.at(-1);
      if (last === undefined || !endsStream(last)) return frames;
      const rest = chunk.subarray(chunk.length - waiting).subarray(0, mostAfter);
      return [...frames.slice(0, -1), new Uint8Array([...last, ...rest])];
    },
    end: () => framer.end(),
  };
}

/** Whether a frame is a header that declares more bytes than it has: only one over the limit comes so. */
const endsStream = (frame: Uint8Array): boolean =>
  new DataView(frame.buffer, frame.byteOffset, frame.length).getUint32(2, true) > frame.length;
