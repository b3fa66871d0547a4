/**
 * Codecs between Fold's messages and protobuf bytes. Decoding never throws: invalid bytes give a {@link Violation}.
 * Unknown fields, and members that are set twice, give a note, because rules judge them.
 */
import { ok, refuse } from '../kit/base/index.ts';
import type { Codec, Decoded, Result, Violation } from '../kit/base/index.ts';
import * as generatedCodec from './generated/codec.ts';
import type { AgentMessage, ServerMessage } from './messages.ts';
import { takeNotes } from './protobuf-reader.ts';

const generated: typeof generatedCodec = generatedCodec;
type Generated = typeof generated;

/** The names of the schema's messages that have a codec. */
export type MessageName = keyof { [K in keyof Generated as K extends `read${infer N}` ? N : never]: unknown };

/** The message of a name. */
export type MessageOf<N extends MessageName> = ReturnType<Generated[`read${N}`]>;

function decodeWith<M>(read: (bytes: Uint8Array) => M, bytes: Uint8Array): Result<Decoded<M>, Violation> {
  try {
    const message = read(bytes);
    const note = takeNotes();
    return ok(note === undefined ? { message } : { message, note });
  } catch (error) {
    takeNotes();
    const detail = error instanceof Error ? error.message : String(error);
    const message = `not a protobuf message of this type: ${detail}`;
    return refuse({ code: 'undecodable', path: '', message });
  }
}

const functions: { readonly [name: string]: unknown } = generated;

/** The names of the messages that have a codec: those that cross a wire by themselves. */
export const messageNames: readonly MessageName[] = Object.keys(functions)
  .filter((name) => name.startsWith('read'))
  .map((name) => name.slice('read'.length) as MessageName);

/**
 * The codec of one message of the schema.
 *
 * @example
 * codecOf('PackManifest').name; // 'coven.PackManifest'
 */
export function codecOf<N extends MessageName>(name: N): Codec<MessageOf<N>> {
  // The two generated functions of a name write and read the same message.
  const write = functions[`write${name}`] as (message: MessageOf<N>) => Uint8Array;
  const read = functions[`read${name}`] as (bytes: Uint8Array) => MessageOf<N>;
  return { name: `coven.${name}`, encode: write, decode: (bytes) => decodeWith(read, bytes) };
}

/**
 * The messages of agents.
 *
 * @example
 * const bytes = agentCodec.encode({ response: { request_id: 'r1', text: 'hello' } });
 * agentCodec.decode(bytes); // { ok: true, value: { message: { response: { request_id: 'r1', text: 'hello' } } } }
 */
export const agentCodec: Codec<AgentMessage> = codecOf('AgentMessage');

/** The messages of gateways to agents. */
export const serverCodec: Codec<ServerMessage> = codecOf('ServerMessage');
