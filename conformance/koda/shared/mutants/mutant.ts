/** Makes mutants and lawful peers: a reference role with one fault or oddity in its messages or in its texts. */
import type { Codec, Role } from '../../../../src/kit/base/index.ts';
import { intercepted, peerOf } from '../../../../src/kit/suite/index.ts';
import type * as kit from '../../../../src/kit/suite/index.ts';
import { commandCodec, eventCodec } from '../../../../src/koda/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';

/** A fault in a role, with its memory of one run. */
export interface PeerFault<In, Out> extends kit.RoleFault<unknown, In, Out> {
  /** Edits the text of a sent message. */
  readonly writes?: (text: string, message: Out) => string;
  /** Turns the text of a sent message into bytes. Default: UTF-8. */
  readonly bytesOf?: (text: string) => Uint8Array;
}

/** A fault in an engine, and one in a client. */
export type EngineFault = PeerFault<EngineCommand, EngineEvent>;
export interface ClientFault extends PeerFault<EngineEvent, EngineCommand> {
  /** Whether it takes an event with this text; absent: it takes all. It drops the others as unreadable. */
  readonly takes?: (text: string) => boolean;
}

/** The state and the actions of a fault in an engine. */
export type EngineFaultContext = kit.FaultContext<unknown, EngineCommand, EngineEvent>;

/** A codec whose texts are edited. */
const edited = <M>(
  codec: Codec<M>,
  {
    writes = (text) => text,
    bytesOf = (text) => new TextEncoder().encode(text),
  }: Pick<PeerFault<never, M>, 'writes' | 'bytesOf'>,
): Codec<M> => ({
  ...codec,
  encode: (message) => bytesOf(writes(new TextDecoder().decode(codec.encode(message)), message)),
});

/** The codec of events that takes some texts alone. It reads the others as empty texts, which are not events. */
const choosy = ({ takes = () => true }: ClientFault): Codec<EngineEvent> => ({
  ...eventCodec,
  decode: (bytes) => eventCodec.decode(takes(new TextDecoder().decode(bytes)) ? bytes : new Uint8Array()),
});

/** An engine with a fault or an oddity, as a target. */
export const faultyEngine = <S>(
  role: Role<S, EngineCommand, EngineEvent>,
  fault: EngineFault,
): kit.MakePeer =>
  peerOf(
    intercepted(role, () => fault),
    commandCodec,
    edited(eventCodec, fault),
  );

/** A client with a fault or an oddity, as a target. */
export const faultyClient = <S>(
  role: Role<S, EngineEvent, EngineCommand>,
  fault: ClientFault,
): kit.MakePeer =>
  peerOf(
    intercepted(role, () => fault),
    choosy(fault),
    edited(commandCodec, fault),
  );

/** Replaces a piece of each text that holds it. */
export const replacing = (piece: string, by: string): { readonly writes: (text: string) => string } => ({
  writes: (text) => text.replace(piece, by),
});
