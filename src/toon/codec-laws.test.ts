/** The codec of TOON (Task Orchestration Over Node) against the laws of codecs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Codec } from '../kit/base/index.ts';
import { roundTrip, total } from '../kit/laws/index.ts';
import { orchestratorMessages, subagentMessages, toonFrames, toonMessages } from './arbitrary.ts';
import { toonCodec } from './codec.ts';
import { senders } from './messages.ts';
import type { ToonMessage } from './messages.ts';

const runs = { numRuns: 3000, seed: 7 };

function withoutLengths(message: ToonMessage): ToonMessage {
  const { payloadLength: _, expandedLength: __, ...rest } = message;
  return rest;
}

/** White space and escapes are lost on the way back, and with them the length: equal is what is equal as JSON (TOON-42). */
const asJson: Codec<ToonMessage> = {
  ...toonCodec,
  decode(bytes) {
    const decoded = toonCodec.decode(bytes);
    if (!decoded.ok) return decoded;
    return { ok: true, value: { message: withoutLengths(decoded.value.message) } };
  },
};

describe('the laws of codecs', () => {
  it('hold for every message, compressed or not', () => {
    fc.assert(roundTrip(toonCodec, toonMessages), runs);
    const whole = { ...asJson, encode: (m: ToonMessage) => toonCodec.encode({ ...m, compress: false }) };
    fc.assert(roundTrip(whole, toonMessages.map(withoutLengths)), runs);
  });

  it('hold for bytes that are no message, and for what a sender should not have sent', () => {
    fc.assert(total(asJson, toonFrames), runs);
  });

  it('are tried on messages that each side may send, small, large and compressed', () => {
    const sample = fc.sample(fc.oneof(orchestratorMessages, subagentMessages), runs);
    expect(new Set(sample.map(({ type }) => type)).size).toBe(8);
    expect(sample.some(({ expandedLength = 0 }) => expandedLength > 1024)).toBe(true);
    expect(
      sample.some(({ payloadLength = 0, expandedLength }) => payloadLength > 1024 && !expandedLength),
    ).toBe(true);
    for (const { type } of fc.sample(subagentMessages, 100)) expect(senders[type]).toContain('subagent');
  });
});
