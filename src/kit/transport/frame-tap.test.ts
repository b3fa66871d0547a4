/** HTTP/2 frames as RFC 9113 has them (4.1 frames, 6.1 DATA, 6.7 PING), cut at every byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tapFrames } from './frame-tap.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

function message(length: number, sent: number = length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, Buffer.alloc(sent, 6)]);
}

function heard(bytes: Uint8Array, cuts: readonly number[]): { pings: number; messages: number[] } {
  let pings = 0;
  const messages: number[] = [];
  const tap = tapFrames({ onPing: () => pings++, onMessage: (n) => messages.push(n) });
  const places = [0, ...cuts.map((c) => c % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i++) tap(bytes.subarray(places[i - 1], places[i]));
  return { pings, messages };
}

const whole = message(300);
const conversation = Buffer.concat([
  preface,
  frame(4, 0, 0, Buffer.alloc(12)),
  frame(6, 0, 0, Buffer.alloc(8)),
  frame(6, 1, 0, Buffer.alloc(8)),
  frame(1, 4, 1, Buffer.alloc(40)),
  frame(0, 0, 1, whole.subarray(0, 3)),
  frame(0, 0, 3, message(7)),
  frame(0, 0, 1, whole.subarray(3)),
  frame(0, 8, 1, Buffer.concat([Buffer.from([4]), message(9), Buffer.alloc(4, 255)])),
  frame(0, 0, 5, message(20 << 20, 100)),
]);

describe('the frame tap', () => {
  it('hears pings that are no acks, and the length every gRPC message declares, stream by stream', () => {
    expect(heard(conversation, [])).toEqual({ pings: 1, messages: [7, 300, 9, 20 << 20] });
  });

  it('hears the same however the bytes are cut', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        expect(heard(conversation, places)).toEqual(heard(conversation, []));
      }),
    );
    const each = Array.from(conversation.keys());
    expect(heard(conversation, each)).toEqual(heard(conversation, []));
  });

  it('does not fall over what is no HTTP/2 at all', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void heard(bytes, [1, 7, 30])));
  });

  it('hears DATA and HEADERS of a server, which has no preface, and no other frame', () => {
    const heardOf: string[] = [];
    const tap = tapFrames(
      { onPing: () => heardOf.push('ping'), onMessage() {}, onContent: () => heardOf.push('content') },
      'server',
    );
    tap(frame(4, 0, 0, Buffer.alloc(12)));
    tap(frame(1, 4, 1, Buffer.alloc(40)));
    tap(frame(6, 0, 0, Buffer.alloc(8)));
    tap(frame(8, 0, 0, Buffer.alloc(4)));
    tap(frame(0, 0, 1, message(7)));
    expect(heardOf).toEqual(['content', 'ping', 'content']);
  });
});
