/** Text in the place of a header. */
import { describe, expect, it } from 'vitest';
import { decodeFrame, resolveOptions } from './decoder.ts';
import { TOONEncoder } from './encoder.ts';
import { leadingTextSize } from './stray-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const reasonOf = (text: string): string => {
  const decoded = decodeFrame(bytes(text), resolveOptions({}));
  return decoded.ok ? '' : decoded.error.message;
};

describe('text', () => {
  it('is all up to the first byte of a header', () => {
    expect(leadingTextSize(bytes('ready\r\n\u0001\u0004'))).toBe(7);
    expect(leadingTextSize(bytes('\u001b[1mgrün'))).toBe(9);
    expect(leadingTextSize(bytes('x'.repeat(1000)))).toBe(120);
    expect(leadingTextSize(new Uint8Array())).toBe(0);
  });

  it('is no header of this version', () => {
    expect(leadingTextSize(TOONEncoder.encodeHeartbeat(1))).toBe(0);
  });

  it('is quoted by a refusal', () => {
    expect(reasonOf('toon 1.0 is ready\n')).toContain('; this is text, not a message: "toon 1.0 is ready"');
    expect(reasonOf('bye\n')).toContain('; this is text, not a message: "bye"');
    expect(reasonOf('{"a":1}')).toContain('bare JSON');
  });

  it('is not what a header of another version begins with', () => {
    expect(reasonOf(`AB\u0001${'\0'.repeat(15)}`)).not.toContain('text');
  });
});
