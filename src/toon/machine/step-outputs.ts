/** The pen with which the reference roles write their outputs on one connection, and what they know of it. */
import type { RoleOutput } from '../../kit/base/index.ts';
import { observe } from './machine.ts';
import type { Moment, ToonSession } from './machine.ts';
import type { MessageName, Payloads, Side, ToonMessage } from '../messages.ts';
import { nextSequenceId } from '../frame/serial.ts';

/** How a reference role is on a connection. */
export interface ConnectionOptions {
  /** Unix milliseconds when the host's clock was 0; for timestamps. */
  readonly epoch: number;
  /** A peer that is silent for so long (ms) is dead: the connection is closed. 0: never. */
  readonly idle: number;
  /** A HEARTBEAT is sent where nothing else was for so long (ms). 0: never. */
  readonly heartbeat: number;
  /** The first sequence id of a connection, 0 to 4294967295. */
  readonly firstSequenceId: number;
  /** The largest payload that is sent (bytes of JSON). */
  readonly maxPayload: number;
  /** Absent: as the codec does by itself. */
  readonly compress?: boolean;
}

/** The limits of the protocol's page: 30 s and 16 MiB (spec/toon/README.md, "Session" and "Carriers"). */
export const defaultConnectionOptions: ConnectionOptions = {
  epoch: 0,
  idle: 30_000,
  heartbeat: 10_000,
  firstSequenceId: 1,
  maxPayload: 16 << 20,
};

/** What a role knows of a connection. */
export interface Connection {
  readonly session: ToonSession;
  /** How much has crossed. */
  crossed: number;
  /** The sequence id of the next message. */
  nextId: number;
  /** When the other side was heard last, and when this one last sent something (ms on the host's clock). */
  heard: number;
  said: number;
  /** The carrier takes nothing more. */
  full: boolean;
  /** Nothing is taken off the wire. */
  paused: boolean;
  /** The other side will send no more. */
  deaf: boolean;
  /** Timers that are set. */
  readonly timers: Set<string>;
}

/** Characters of a text that are worth telling. */
const briefly = 200;

/** The beginning of a text that may be long. */
export const brief = (text: string): string => (text.length > briefly ? `${text.slice(0, briefly)}…` : text);

/** Collects what a step puts out on a connection. */
export class StepOutputs {
  readonly outputs: RoleOutput<ToonMessage>[] = [];
  readonly side: Side;
  readonly peer: string;
  readonly now: number;
  readonly options: ConnectionOptions;
  readonly connection: Connection;
  /** Nothing more can be sent: the connection is over. */
  closed = false;

  constructor(side: Side, peer: string, now: number, options: ConnectionOptions, connection: Connection) {
    this.side = side;
    this.peer = peer;
    this.now = now;
    this.options = options;
    this.connection = connection;
  }

  /** Sends a message under the next sequence id; after the highest comes 0 (TOON-31). */
  say<N extends MessageName>(type: N, payload: Payloads[N]): void {
    if (this.closed) return;
    const { connection, options, now } = this;
    const { epoch, compress } = options;
    const stamp = { sequenceId: connection.nextId, timestamp: String(Math.floor(epoch + now)) };
    connection.nextId = nextSequenceId(connection.nextId);
    connection.said = now;
    const onWire = compress === undefined ? {} : { compress };
    const message = { type, ...stamp, payload, ...onWire } as ToonMessage;
    observe(connection.session, this.side, message, this.moment());
    this.outputs.push({ type: 'send', peer: this.peer, message });
  }

  /** Answers what cannot be acted on, unless the carrier is full: who reads nothing needs no answer. */
  answer(code: string, message: string): void {
    if (!this.connection.full) this.say('ERROR', { code, message });
  }

  /** Whether a payload is within what may be sent. */
  fits(payload: unknown): boolean {
    const text = JSON.stringify(payload) ?? '';
    const { maxPayload } = this.options;
    // A character is three bytes at most.
    return text.length * 3 <= maxPayload || new TextEncoder().encode(text).length <= maxPayload;
  }

  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail });
  }

  start(name: string, ms: number): void {
    if (this.closed) return;
    this.connection.timers.add(name);
    this.outputs.push({ type: 'start_timer', id: `${name}:${this.peer}`, ms });
  }

  stop(name: string): void {
    if (this.connection.timers.delete(name)) this.stopLeftover(name);
  }

  /** Stops a timer of this link's name that another connection may have left. */
  stopLeftover(name: string): void {
    this.outputs.push({ type: 'stop_timer', id: `${name}:${this.peer}` });
  }

  /** Takes nothing more off the wire, or does again. */
  pause(paused: boolean): void {
    const { connection, peer } = this;
    if (this.closed || paused === connection.paused) return;
    connection.paused = paused;
    // Whoever was not listened to was not silent.
    connection.heard = this.now;
    this.outputs.push({ type: paused ? 'pause' : 'resume', peer });
  }

  /** Ends the connection: with a gRPC status code, as all of the kit's closings have one; 0 is in order. */
  close(code: number, message: string): void {
    if (this.closed) return;
    this.outputs.push({ type: 'close', peer: this.peer, status: { code, message } });
    this.gone();
  }

  /** The connection is over. */
  gone(): void {
    for (const name of this.connection.timers) this.stop(name);
    this.closed = true;
  }

  /** Now, as the machine wants it. */
  moment(): Moment {
    return { seq: this.connection.crossed++, at: this.now };
  }
}
