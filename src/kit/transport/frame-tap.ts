/** Hears HTTP/2 frames go by without keeping them: cost is linear in the bytes, however they are cut. */

const preface = 24; // "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" (RFC 9113, 3.4)
const headerLength = 9; // RFC 9113, 4.1
const ping = 6; // RFC 9113, 6.7
const ackFlag = 1;

/** Makes a listener for one direction of a connection, from its first byte on; `onPing` hears PINGs that are no acks. */
export function tapPings(onPing: () => void): (chunk: Uint8Array) => void {
  let skip = preface;
  const header = new Uint8Array(headerLength);
  let have = 0;
  return (chunk) => {
    for (let i = 0; i < chunk.length; ) {
      if (skip > 0) {
        const passed = Math.min(skip, chunk.length - i);
        skip -= passed;
        i += passed;
        continue;
      }
      header[have++] = chunk[i++] ?? 0;
      if (have < headerLength) continue;
      have = 0;
      const [a = 0, b = 0, c = 0, type, flags = 0] = header;
      skip = (a << 16) | (b << 8) | c;
      if (type === ping && (flags & ackFlag) === 0) onPing();
    }
  };
}
