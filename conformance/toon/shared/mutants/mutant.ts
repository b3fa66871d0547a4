/** Makes mutants: the reference role with one fault in its messages, its frames or its sequenceIds. */
import type { Codec, JsonObject, Role } from '../../../../src/kit/base/index.ts';
import { intercepted, onSend, peerOf } from '../../../../src/kit/suite/index.ts';
import type * as kit from '../../../../src/kit/suite/index.ts';
import type { Framing } from '../../../../src/kit/world/index.ts';
import { nextSequenceId, toonCodec } from '../../../../src/toon/index.ts';
import type { MessageName, ToonMessage } from '../../../../src/toon/index.ts';

/** The state and the actions of a fault in any role. */
export type FaultContext = kit.FaultContext<unknown, ToonMessage, ToonMessage>;

/** A fault in a role, with its memory of one run. */
export interface PeerFault extends kit.RoleFault<unknown, ToonMessage, ToonMessage> {
  /** Edits the sequenceId of a message; `n` counts the messages sent before. */
  readonly number?: (sequenceId: number, n: number) => number;
  /** Edits the bytes of a sent frame. */
  readonly writes?: (frame: Uint8Array, message: ToonMessage) => Uint8Array;
  /** Edits the bytes of a received frame. */
  readonly reads?: (frame: Uint8Array) => Uint8Array;
  /** Cuts frames out of received bytes. */
  readonly framing?: Framing;
}

/** A message with another payload, even if its type does not allow it. */
export const withPayload = (message: ToonMessage, payload: unknown): ToonMessage =>
  ({ ...message, payload }) as ToonMessage;

/** A message without a key of its payload. */
export const without = (message: ToonMessage, key: string): ToonMessage =>
  withPayload(message, Object.fromEntries(Object.entries(message.payload).filter(([name]) => name !== key)));

/** A fault in the payloads of the messages of some types that the role sends. */
export const payloads = (
  types: MessageName | readonly MessageName[],
  edit: (payload: JsonObject) => unknown,
): PeerFault => onSend(types, (message) => [withPayload(message, edit(message.payload))]);

/** A message of any type; its sequence id is set when it is sent. */
export const madeOf = (type: MessageName, payload: JsonObject, timestamp: string = '0'): ToonMessage =>
  ({ type, payload, sequenceId: 0, timestamp }) as ToonMessage;

/** Sends a further message. */
export const send = (context: FaultContext, type: MessageName, payload: JsonObject): void =>
  context.send(madeOf(type, payload, String(Math.floor(context.now))));

/** Numbers all sent messages again, so that added or dropped messages leave no gap. */
function numbering({ number }: PeerFault): PeerFault {
  let next: number | undefined;
  let sent = 0;
  return onSend((message) => {
    const id = next ?? message.sequenceId;
    next = nextSequenceId(id);
    return [{ ...message, sequenceId: number?.(id, sent++) ?? id }];
  });
}

const faultyCodec = ({ writes, reads }: PeerFault): Codec<ToonMessage> => ({
  name: toonCodec.name,
  encode(message) {
    const frame = toonCodec.encode(message);
    return writes === undefined ? frame : writes(frame, message);
  },
  decode: (bytes) => toonCodec.decode(reads === undefined ? bytes : reads(bytes)),
});

/** A role with an edit as a target: a mutant's fault, or an oddity of a lawful peer. */
export function faultyPeer<S>(role: Role<S, ToonMessage, ToonMessage>, fault: PeerFault): kit.MakePeer {
  const codec = faultyCodec(fault);
  const faulty = intercepted(
    intercepted(role, () => fault),
    () => numbering(fault),
  );
  const make = peerOf(faulty, codec, codec);
  const { framing } = fault;
  return framing === undefined ? make : (world) => ({ ...make(world), framing });
}

/** A fault that is made for each run, and options of the role that differ from the target's. */
export interface OptionedFault {
  readonly fault: () => PeerFault;
  readonly options: JsonObject;
}

/** Faults by the ids of their mutants. */
export type PeerFaults = kit.Faults<(() => PeerFault) | OptionedFault>;

/** Makes a role with a fault. `role`: the reference, of the options of the scenario. */
export const peerWith =
  <S>(role: (given: JsonObject) => Role<S, ToonMessage, ToonMessage>) =>
  (of: (() => PeerFault) | OptionedFault): kit.Mutant['make'] =>
  (given = {}) => {
    const { fault, options } = typeof of === 'function' ? { fault: of, options: {} } : of;
    return faultyPeer(role({ ...given, ...options }), fault());
  };
