/** Random tests of decoding: headers, cut messages, payloads, run-length code, streams. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Vector } from '../../../../src/kit/spec/index.ts';
import type { RandomTests } from '../../../../src/kit/testee/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import { compressed, hex, message, rle, run, smallest, typeByte, typeNames, utf8 } from './bytes.ts';
import type { Bytes, TypeName } from './bytes.ts';
import { randomJson, randomObject } from './json.ts';
import { invalid, many, valid } from './table.ts';

const wire = (type: TypeName, payload: string | Bytes): JsonObject => ({ wire: hex(message(type, payload)) });

/** Headers with any timestamp and sequenceId. */
export const randomHeaders: RandomTests = (seed, random) => ({
  'toon.decode': many(10, (n) => {
    const type = typeNames[random.below(typeNames.length)] ?? 'HEARTBEAT';
    const timestamp = (BigInt(random.below(2 ** 21)) << 32n) | BigInt(random.below(2 ** 32));
    const sequenceId = random.below(2 ** 32);
    const payload = smallest[type].padEnd(random.below(120));
    const input = { wire: hex(message(type, payload, { timestamp, sequenceId })) };
    const header = {
      version: 1,
      type: typeByte[type],
      payloadLength: payload.length,
      timestamp: String(timestamp),
      sequenceId,
    };
    const comment = `${type} with any timestamp and sequenceId`;
    return valid(`header-random-${seed}-${n}`, comment, 1, input, { header });
  }),
});

/** Messages that are cut at a random byte. */
export const randomCuts: RandomTests = (seed, random) => ({
  'toon.decode': many(8, (n) => {
    const payload = JSON.stringify({ status: 'x'.repeat(1 + random.below(300)) });
    const whole = message('STATUS', payload, { sequenceId: random.below(2 ** 32) });
    const at = random.below(whole.length);
    return invalid(
      `cut-random-${seed}-${n}`,
      `${whole.length} bytes, cut after ${at}`,
      at < 18 ? 4 : 5,
      { wire: hex(whole.slice(0, at)) },
      at < 18 ? 'too-short' : 'truncated',
    );
  }),
});

/** Calls with any arguments, and results with any data. */
export const randomPayloads: RandomTests = (seed, random) => {
  const call = (n: number): Vector => {
    const payload = { toolName: 'any', args: randomObject(random, 3) };
    const id = `payload-random-${seed}-call-${n}`;
    return valid(id, 'a TOOL_CALL with any args', 42, wire('TOOL_CALL', JSON.stringify(payload)), {
      payload,
    });
  };
  const result = (n: number): Vector => {
    const payload = { success: random.below(2) === 0, data: randomJson(random, 4) };
    const id = `payload-random-${seed}-result-${n}`;
    const comment = 'a TOOL_RESULT with any data';
    return valid(id, comment, 42, wire('TOOL_RESULT', JSON.stringify(payload, undefined, n % 3)), {
      payload,
    });
  };
  return { 'toon.decode': many(7, (n) => [call(n), result(n)]).flat() };
};

const [magic, escape] = [0x5a, 0xff];

/** The same bytes coded at random: literals, and triples of any count. */
function anyRle(bytes: Bytes, random: Random): Bytes {
  const coded: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    let most = 1;
    while (most < 255 && bytes[at + most] === byte) most++;
    const count = 1 + random.below(most);
    coded.push(...(random.below(2) === 0 || byte === escape ? [escape, byte, count] : run(byte, count)));
    at += count;
  }
  return coded;
}

/** Compressed payloads, encoded by the rules of the document or in any other valid way. */
export const randomCompressed: RandomTests = (seed, random) => ({
  'toon.decode': many(10, (n) => {
    const data = [randomJson(random, 3), 'x'.repeat(1024 + random.below(500)), 'y'.repeat(random.below(9))];
    const bytes = utf8(JSON.stringify({ success: true, data }));
    const [id, row, payload] =
      n % 2 === 0
        ? (['plainly', 17, compressed(bytes)] as const)
        : (['anyhow', 23, [magic, ...anyRle(bytes, random)]] as const);
    const comment = `any JSON, ${bytes.length} bytes, coded ${id} as ${payload.length}`;
    return valid(`compressed-random-${seed}-${n}`, comment, row, wire('TOOL_RESULT', payload), {
      payload: { success: true, data },
    });
  }),
});

const said = (status: string): Bytes => message('STATUS', JSON.stringify({ status }));

/** Streams of messages, some with an incomplete last message, in random chunks. */
export const randomStreams: RandomTests = (seed, random) => ({
  'toon.stream': many(10, (n) => {
    const statuses = Array.from({ length: 1 + random.below(6) }, () => 'y'.repeat(random.below(90)));
    const bytes = statuses.flatMap(said);
    const rest = random.below(2) * random.below(32);
    const places = Array.from({ length: random.below(12) }, () => random.below(bytes.length));
    const whole = [...bytes, ...said('rest').slice(0, rest)];
    const edges = [0, ...places.toSorted((a, b) => a - b), whole.length];
    const chunks = edges.slice(1).map((end, i) => hex(whole.slice(edges[i], end)));
    return valid(
      `stream-random-${seed}-${n}`,
      `${statuses.length} messages and ${rest} bytes, in ${places.length + 1} chunks`,
      rest === 0 ? 38 : 5,
      { chunks },
      { messages: statuses.map((status) => ({ payload: { status } })), pending: rest },
    );
  }),
});

/** Random runs of bytes. Adjacent runs have different bytes. `length` gives lengths that concern one row only. */
export function randomRuns(random: Random, length: () => number): Bytes {
  let byte = random.below(255);
  return Array.from({ length: 3 + random.below(10) }, () => {
    byte = (byte + 1 + random.below(253)) % 255;
    return run(byte, length());
  }).flat();
}

/** Run-length code of any bytes, some of it cut short. */
export function randomRleDecodes(seed: string, random: Random): readonly Vector[] {
  return many(9, (n) => {
    const bytes = randomRuns(random, () => 1 + random.below(300)).concat(run(escape, random.below(4)));
    const id = `unrle-random-${seed}-${n}`;
    const comment = `any bytes, ${bytes.length} of them`;
    if (n % 3 > 0) return valid(id, comment, 17, { bytes: hex(rle(bytes)) }, { bytes: hex(bytes) });
    const broken = [...rle(bytes), ...[escape, random.below(256)].slice(0, 1 + random.below(2))];
    return invalid(id, 'any bytes, then a triple cut short', 24, { bytes: hex(broken) }, 'bad-rle');
  });
}
