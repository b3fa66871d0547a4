import { describe, expect, it } from 'vitest';
import { chunkOf } from './http-chunk.ts';

// RFC 9112, section 7.1: chunk = chunk-size CRLF chunk-data CRLF, the size in hexadecimal.
describe('a chunk', () => {
  it.each([
    ['x', '1\r\nx\r\n'],
    ['a'.repeat(16), `10\r\n${'a'.repeat(16)}\r\n`],
    ['é', '2\r\né\r\n'],
    ['\r\n', '2\r\n\r\n\r\n'],
  ])('of %j', (body, chunk) => {
    expect(chunkOf(Buffer.from(body)).toString()).toBe(chunk);
  });
});
