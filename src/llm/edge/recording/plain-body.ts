/** The body of a recorded answer without its compression. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { entryOf } from '../../../kit/base/index.ts';
import type { RecordedExchange } from './recording.ts';

/** The largest body (bytes), also of a compressed one. */
const mostBody = 64 << 20;

const decompressors: { readonly [coding: string]: (bytes: Uint8Array) => Uint8Array } = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: mostBody }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: mostBody }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostBody }),
};

/** The bytes of a body as the provider meant them; or a sentence that says why they cannot be had. */
export function plainBody({ body, base64, headers }: RecordedExchange): Uint8Array | string {
  const bytes = body === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(body);
  const coding = headers['content-encoding'] ?? '';
  const decompress = entryOf(decompressors, coding);
  if (decompress === undefined) return bytes;
  try {
    return decompress(bytes);
  } catch {
    return `expected a body in ${coding}; it cannot be decompressed`;
  }
}
