/**
 * Fold messages to protobuf bytes and back. Decoding is total: bytes that are no message are refused with a
 * {@link Violation}; unknown fields and members set twice are kept as a note, because rules judge them.
 */
import { ok, refuse } from '../kit/base/index.ts';
import type { Codec, Decoded, Result, Violation } from '../kit/base/index.ts';
import {
  readAgentMessage,
  readServerMessage,
  writeAgentMessage,
  writeServerMessage,
} from './generated/codec.ts';
import type { AgentMessage, ServerMessage } from './messages.ts';
import { takeNotes } from './protobuf-reader.ts';

function decodeWith<M>(read: (bytes: Uint8Array) => M, bytes: Uint8Array): Result<Decoded<M>, Violation> {
  try {
    const message = read(bytes);
    const note = takeNotes();
    return ok(note === undefined ? { message } : { message, note });
  } catch (error) {
    takeNotes();
    const detail = error instanceof Error ? error.message : String(error);
    return refuse({
      code: 'undecodable',
      path: '',
      message: `not a protobuf message of this type: ${detail}`,
    });
  }
}

/** A codec on generated code: total, with notes of what decoding hides. */
export const codecOf = <M>(
  name: string,
  write: (message: M) => Uint8Array,
  read: (bytes: Uint8Array) => M,
): Codec<M> => ({ name, encode: write, decode: (bytes) => decodeWith(read, bytes) });

/**
 * What agents send.
 *
 * @example
 * const bytes = agentCodec.encode({ response: { request_id: 'r1', text: 'hello' } });
 * agentCodec.decode(bytes); // { ok: true, value: { message: { response: { request_id: 'r1', text: 'hello' } } } }
 */
export const agentCodec: Codec<AgentMessage> = codecOf(
  'coven.AgentMessage',
  writeAgentMessage,
  readAgentMessage,
);

/** What gateways send. */
export const serverCodec: Codec<ServerMessage> = codecOf(
  'coven.ServerMessage',
  writeServerMessage,
  readServerMessage,
);
