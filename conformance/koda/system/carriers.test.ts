/**
 * "Works identically over in-process channels or network transport" (the source, on the wire types): the same script has
 * the same events in the simulated world, on stdio and on WebSocket. The figures of time may differ.
 */
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Peer } from '../../../src/kit/suite/index.ts';
import { lineFraming } from '../../../src/kit/testee/index.ts';
import {
  Connections,
  byteWire,
  connectWebSocket,
  listenWebSocket,
} from '../../../src/kit/transport/index.ts';
import {
  Network,
  VirtualClock,
  framed,
  join,
  realClock,
  seededRandom,
} from '../../../src/kit/world/index.ts';
import type { Clock, WireEvent } from '../../../src/kit/world/index.ts';
import { directive } from '../../../src/koda/index.ts';
import { referenceClient, referenceEngine } from '../shared/peers.ts';
import { step } from './plans.ts';

/** A session on one carrier: both peers, and the events that came out of them. */
class Session {
  readonly events: JsonObject[] = [];
  readonly engine: Peer;
  readonly client: Peer;
  #onEnd: (() => void) | undefined;
  /** When the client has said `quit` and the engine has ended. */
  readonly ended: Promise<void> = new Promise((resolve) => (this.#onEnd = resolve));

  constructor(clock: Clock, prompts: readonly string[]) {
    const tap = (event: WireEvent): void => this.#take(event);
    this.engine = referenceEngine({ seed: 'carriers' })({ clock, tap });
    this.client = referenceClient({ prompts: [...prompts], quitAfterLast: true })({ clock, tap });
    this.engine.begin();
    this.client.begin();
  }

  #take(event: WireEvent): void {
    if (event.kind === 'message' && !event.incoming)
      this.events.push(timeless(JSON.parse(Buffer.from(event.bytes).toString()) as JsonObject));
    if (event.kind === 'end' || event.kind === 'reset') this.#onEnd?.();
  }
}

/** A message without its figures of time. */
function timeless(data: JsonObject): JsonObject {
  const { elapsed_ms: _, rate: __, ...rest } = data;
  return rest;
}

function simulated(prompts: readonly string[]): JsonObject[] {
  const clock = new VirtualClock();
  const session = new Session(clock, prompts);
  const network = new Network(clock, seededRandom('carriers'), { delay: { min: 0, max: 1 }, orderly: true });
  network.listen(session.engine.accept);
  join(network.dial, { ':carrier': 'ws' }, session.client.accept);
  clock.run(() => false);
  return session.events;
}

async function overPipes(prompts: readonly string[]): Promise<JsonObject[]> {
  const session = new Session(realClock(), prompts);
  const [down, up] = [new PassThrough(), new PassThrough()];
  const near = new Connections('stdio', framed(session.client.accept, lineFraming));
  const far = new Connections('stdio', framed(session.engine.accept, lineFraming));
  far.add(byteWire({ readable: down, writable: up }));
  near.add(byteWire({ readable: up, writable: down }));
  await session.ended;
  for (const side of [near, far]) side.close();
  return session.events;
}

async function overSockets(prompts: readonly string[]): Promise<JsonObject[]> {
  const session = new Session(realClock(), prompts);
  const options = { maxReceive: 1 << 24, messages: 'text' } as const;
  const host = '127.0.0.1';
  const far = await listenWebSocket({ ...options, host, port: 0, accept: session.engine.accept });
  const url = `ws://${host}:${far.port}/koda`;
  const near = await connectWebSocket({ ...options, url, accept: session.client.accept });
  await session.ended;
  for (const side of [near, far]) side.close();
  return session.events;
}

/** The prompts of a script: each a directive whose steps end without a person, and without waiting for a time. */
function scriptOf(seed: number): readonly string[] {
  const free = step.filter(
    (made) => !('cancel_point' in made || 'wait_ms' in made || ('tool' in made && made.tool.hold === true)),
  );
  const script = fc.array(fc.array(free, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });
  const [prompts = []] = fc.sample(script, { seed, numRuns: 1, unbiased: true });
  return prompts.map((steps) => directive(steps));
}

describe('the same script', () => {
  it.each(Array.from({ length: 25 }, (_, i) => i))(
    'has the same events on each carrier (%i)',
    async (seed) => {
      const script = scriptOf(seed);
      const expected = simulated(script);
      expect(expected.filter(({ type }) => type === 'turn_end').length).toBe(script.length);
      expect(await overPipes(script)).toEqual(expected);
      expect(await overSockets(script)).toEqual(expected);
    },
  );
});
