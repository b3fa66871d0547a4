/** Observes HTTP/2 frames without keeping them. The cost is linear in the bytes, for chunks of any size. */

const preface = 24; // "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" (RFC 9113, 3.4)
const headerLength = 9; // RFC 9113, 4.1
const data = 0; // RFC 9113, 6.1
const headers = 1; // RFC 9113, 6.2
const ping = 6; // RFC 9113, 6.7
const ackFlag = 1;
const paddedFlag = 8;
const prefixLength = 5; // gRPC's compressed flag and message length (gRPC over HTTP/2, "Length-Prefixed-Message")

/** The callbacks of a tap. */
export interface FrameTap {
  /** A PING that is not an acknowledgement. */
  readonly onPing: () => void;
  /** A DATA or HEADERS frame begins; absent: not reported. */
  readonly onContent?: () => void;
  /** A gRPC message begins. Its prefix declares this number of bytes. */
  readonly onMessage: (bytes: number) => void;
}

/** The position of a stream in its gRPC messages: the bytes left of the current message, and the prefix so far. */
interface MessagePlace {
  left: number;
  have: number;
  length: number;
}

/** The maximum of streams whose position is kept; gRPC agents have one or two. */
const streamsKept = 64;

/** Makes a listener for the bytes of one side of a connection, from the first byte. A server has no preface. */
export function tapFrames(tap: FrameTap, side: 'client' | 'server' = 'client'): (chunk: Uint8Array) => void {
  const places = new Map<number, MessagePlace>();
  const header = new Uint8Array(headerLength);
  let have = 0;
  let left = side === 'client' ? preface : 0;
  let padding = 0;
  let place: MessagePlace | undefined;

  const begin = (): void => {
    const [a = 0, b = 0, c = 0, type, flags = 0, ...id] = header;
    left = (a << 16) | (b << 8) | c;
    place = undefined;
    padding = 0;
    if (type === ping && (flags & ackFlag) === 0) tap.onPing();
    if (type === data || type === headers) tap.onContent?.();
    if (type !== data) return;
    place = placeOf(places, id.reduce((n, byte) => ((n << 8) | byte) >>> 0, 0) & 0x7fffffff);
    if ((flags & paddedFlag) !== 0) padding = -1; // the pad length comes first
  };

  return (chunk) => {
    for (let i = 0; i < chunk.length;) {
      if (left > 0) {
        const passed = Math.min(left, chunk.length - i);
        if (padding < 0) {
          padding = chunk[i++] ?? 0;
          left--;
          continue;
        }
        const payload = Math.max(0, Math.min(passed, left - padding));
        if (place !== undefined) walk(place, chunk.subarray(i, i + payload), tap.onMessage);
        left -= passed;
        i += passed;
        continue;
      }
      header[have++] = chunk[i++] ?? 0;
      if (have < headerLength) continue;
      have = 0;
      begin();
    }
  };
}

function placeOf(places: Map<number, MessagePlace>, id: number): MessagePlace {
  const known = places.get(id);
  if (known !== undefined) return known;
  const made: MessagePlace = { left: 0, have: 0, length: 0 };
  places.set(id, made);
  if (places.size > streamsKept) for (const oldest of places.keys()) if (places.delete(oldest)) break;
  return made;
}

/** Advances the position of a stream over a piece of its data. */
function walk(place: MessagePlace, piece: Uint8Array, onMessage: (bytes: number) => void): void {
  for (let i = 0; i < piece.length;) {
    if (place.left > 0) {
      const passed = Math.min(place.left, piece.length - i);
      place.left -= passed;
      i += passed;
      continue;
    }
    const byte = piece[i++] ?? 0;
    if (place.have > 0) place.length = ((place.length << 8) | byte) >>> 0;
    if (++place.have < prefixLength) continue;
    onMessage(place.length);
    place.left = place.length;
    place.have = 0;
    place.length = 0;
  }
}
