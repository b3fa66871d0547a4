/** The peers of the live suites: the kit's scripted peers, and the reference targets. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { peerOf, scriptedPeer } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { client, commandCodec, engine, eventCodec } from '../../../src/koda/index.ts';
import type { ClientOptions, EngineOptions } from '../../../src/koda/index.ts';

/**
 * The simulated peers by role. They send what a scenario orders; a client with `answers` also answers each request at
 * once, for prompts whose turns nobody can foresee. It lets nothing be done: it rejects, declines and stops.
 */
export const peers: { readonly [role: string]: (options: JsonObject) => MakePeer } = {
  'koda/client': ({ answers }) =>
    answers === true ? referenceClient(refusing) : scriptedPeer(commandCodec, eventCodec),
  'koda/engine': () => scriptedPeer(eventCodec, commandCodec),
};

const refusing: JsonObject = { prompts: [], approval: 'reject', answer: '', cap: 'stop' };

/** The options of a reference, which a scenario gives as JSON. */
export const engineOptions = (given: JsonObject = {}): Partial<EngineOptions> => given;
/** See {@link engineOptions}. */
export const clientOptions = (given: JsonObject = {}): Partial<ClientOptions> => given;

/** The reference engine as a target. */
export const referenceEngine = (given?: JsonObject): MakePeer =>
  peerOf(engine(engineOptions(given)), commandCodec, eventCodec);

/** The reference client as a target. */
export const referenceClient = (given?: JsonObject): MakePeer =>
  peerOf(client(clientOptions(given)), eventCodec, commandCodec);
