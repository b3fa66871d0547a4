/** The reference client and the streamer in one simulated world, for tests: a turn is asked for, its answer awaited. */
import { Host, Network, VirtualClock, seededRandom } from '../../kit/world/index.ts';
import type { Fault } from '../../kit/world/index.ts';
import { ok } from '../../kit/base/index.ts';
import type { Codec, JsonObject } from '../../kit/base/index.ts';
import { checkScript } from '../script/check.ts';
import { chunkCodec, clientRole } from './client.ts';
import type { ClientMessage } from './client.ts';
import { streamer } from '../streamer/streamer.ts';
import { dialects } from '../messages.ts';
import type { DialectName, ResponseEvent } from '../messages.ts';
import { requestBodyCodec, responseWriteCodec } from '../dialects/shared/units.ts';

/** All five. */
export const everyDialect: readonly DialectName[] = dialects;

/** The result of a turn. */
export interface Played {
  readonly answer: JsonObject;
  /** The provider's notes, such as `request`, with their details. */
  readonly told: readonly (JsonObject & { readonly what: string })[];
  readonly events: readonly ResponseEvent[];
  /** Virtual ms. */
  readonly ms: number;
}

const lines: Codec<ClientMessage> = {
  name: 'lines',
  encode: (message) => Buffer.from(JSON.stringify(message)),
  decode: (bytes) => ok({ message: JSON.parse(Buffer.from(bytes).toString()) as JsonObject }),
};

/** A request for a turn. `fields` are added to the usual fields, or replace them. */
export const turnOf = (dialect: DialectName, more: JsonObject = {}): JsonObject => ({
  id: 1,
  op: 'llm.turn',
  dialect,
  base_url: 'http://provider',
  model: 'wireproof-1',
  prompt: 'Do it.',
  max_tokens: 1000,
  tools: [{ name: 'add', description: 'Adds.', input_schema: { type: 'object' }, output: '3' }],
  max_rounds: 4,
  stream: true,
  ...more,
});

/** Plays a script (its YAML form) to a client that is asked for a turn. */
export function play(script: JsonObject, line: JsonObject, fault?: { at: number; fault: Fault }): Played {
  const checked = checkScript(script);
  if (!checked.ok) throw new Error(checked.error.message);
  const clock = new VirtualClock();
  const delay = { min: 0.05, max: 1 };
  const wide = new Network(clock, seededRandom('wide'), { delay });
  const near = new Network(clock, seededRandom('near'), { delay, orderly: true });
  const told: (JsonObject & { readonly what: string })[] = [];
  const events: ResponseEvent[] = [];
  const provider = new Host({
    role: streamer({ script: checked.value, random: seededRandom }),
    clock,
    receives: requestBodyCodec,
    sends: responseWriteCodec,
    report: (what, detail) => told.push({ what, ...(JSON.parse(detail) as JsonObject) }),
  });
  wide.listen(provider.accept);
  const client = new Host({
    role: clientRole({ random: seededRandom, shown: (_, event) => events.push(event) }),
    clock,
    receives: lines,
    sends: lines,
    wireOf: (metadata) => {
      const codec = metadata[':path'] === undefined ? lines : chunkCodec;
      return { receives: codec, sends: codec };
    },
    dial: wide.dial,
  });
  near.listen(client.accept);
  let answer: JsonObject | undefined;
  const ears = { headers() {}, halfClose() {}, ended() {}, drained() {}, ping() {} };
  const link = near.dial(
    { metadata: {} },
    { ...ears, message: (bytes) => (answer = JSON.parse(Buffer.from(bytes).toString()) as JsonObject) },
  );
  link.send(Buffer.from(JSON.stringify(line)));
  if (fault !== undefined) clock.after(fault.at, () => wide.fault(undefined, fault.fault));
  clock.run(() => answer !== undefined, 500_000);
  const ms = clock.now();
  // Bytes on their way to the provider still arrive.
  let late = false;
  clock.after(3000, () => (late = true));
  clock.run(() => late, 500_000);
  if (answer === undefined) throw new Error('no answer came');
  return { answer, told, events, ms };
}
