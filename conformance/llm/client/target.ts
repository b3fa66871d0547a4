/** The peers of the suite: the provider that plays a scenario's script, and the reference client. */
import { ProgramTurn } from './program-turn.ts';
import { WireproofError, isObject } from '../../../src/kit/base/index.ts';
import type { Codec, JsonObject, Role } from '../../../src/kit/base/index.ts';
import { ndjson } from '../../../src/kit/testee/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import {
  askedCodec,
  checkScript,
  chunkCodec,
  clientRole,
  sentCodec,
  streamer,
} from '../../../src/llm/index.ts';
import type { ClientMessage, ClientParts, ClientRole, StreamerRole } from '../../../src/llm/index.ts';

/**
 * The role of a provider that plays `script`. Its ids are drawn from `seed`.
 *
 * @throws WireproofError 'usage' for an invalid script
 */
export function providerRole({ script, seed = '1' }: JsonObject): StreamerRole {
  const checked = checkScript(script);
  if (!checked.ok) {
    const { path, message } = checked.error;
    throw new WireproofError('usage', `the scenario's script cannot be played: ${path}: ${message}`);
  }
  const drawn = typeof seed === 'string' ? seed : JSON.stringify(seed);
  return streamer({ script: checked.value, random: (label) => seededRandom(`${drawn} ${label}`) });
}

/** See {@link providerRole}. */
export const provider = (options: JsonObject): MakePeer =>
  peerOf(providerRole(options), askedCodec, sentCodec);

/** Encodes and decodes the lines of a testee. */
const lineCodec: Codec<ClientMessage> = {
  name: ndjson.name,
  encode: (message) =>
    'chunk' in message && message['chunk'] instanceof Uint8Array
      ? message['chunk']
      : ndjson.encode(message as JsonObject),
  decode: (bytes) => ndjson.decode(bytes),
};

const lines = { receives: lineCodec, sends: lineCodec };
const chunks = { receives: chunkCodec, sends: chunkCodec };

/** Runs a client role as a target: lines on its pipes, bytes on its connections. */
export const hosted = <S>(role: Role<S, ClientMessage, ClientMessage>): MakePeer =>
  peerOf(role, lineCodec, lineCodec, {
    wireOf: (metadata) => (metadata[':path'] === undefined ? lines : chunks),
  });

/** The reference client. Mutants replace some of its parts. */
export const client = (parts: ClientParts = {}, reference: JsonObject = {}): MakePeer =>
  hosted(roleOf(parts, reference));

const asProgram: ClientParts['turn'] = (options) => new ProgramTurn(options);

export const roleOf = (parts: ClientParts = {}, { program }: JsonObject = {}): ClientRole =>
  clientRole({
    random: (label) => seededRandom(`client ${label}`),
    // A program starts its turn itself. A testee waits for `llm.turn`.
    ...(isObject(program) ? { begins: program, parts: { turn: asProgram, ...parts } } : { parts }),
  });
