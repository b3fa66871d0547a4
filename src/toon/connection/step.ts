/** One step of a reference role on one connection: the state of the connection, and the outputs of the step. */
import { LinkOutputs } from '../../kit/base/index.ts';
import { observe } from '../machine/machine.ts';
import type { Moment, ToonSession } from '../machine/machine.ts';
import { nextSequenceId } from '../machine/sequence-ids.ts';
import type { MessageName, Payloads, Side, ToonMessage } from '../messages.ts';

/** How a reference role behaves on a connection. */
export interface ConnectionOptions {
  /** Unix milliseconds at time 0 of the host's clock; for timestamps. */
  readonly epoch: number;
  /** The connection is closed when the other side sends nothing for this long (ms). 0: never. */
  readonly idle: number;
  /** A HEARTBEAT is sent when nothing else was sent for this long (ms). 0: never. */
  readonly heartbeat: number;
  /** The first sequence id of a connection, 0 to 4294967295. */
  readonly firstSequenceId: number;
  /** The largest payload to send (bytes of JSON). */
  readonly maxPayload: number;
  /** Whether the codec may compress. Absent: the codec decides. */
  readonly compress?: boolean;
}

/** The limits of spec/toon/README.md, "A connection" and "Limits": 30 s and 16 MiB. */
export const defaultConnectionOptions: ConnectionOptions = {
  epoch: 0,
  idle: 30_000,
  heartbeat: 10_000,
  firstSequenceId: 1,
  maxPayload: 16 << 20,
};

/** The state of one connection. `W` is what its role remembers of it. */
export interface Connection<W> {
  readonly session: ToonSession;
  readonly work: W;
  /** Messages and bad frames of both sides so far. */
  frameCount: number;
  /** The sequence id of the next message. */
  nextId: number;
  /** When something was last received, and when something was last sent (ms on the host's clock). */
  receivedAt: number;
  sentAt: number;
  /** The carrier is full: it takes no more messages. */
  full: boolean;
  /** The role reads no messages. */
  paused: boolean;
  /** The other side has half-closed: it sends no more messages. */
  halfClosed: boolean;
  readonly timers: Set<string>;
}

export class ConnectionStep<W = unknown> extends LinkOutputs<ToonMessage> {
  readonly side: Side;
  readonly options: ConnectionOptions;
  readonly connection: Connection<W>;

  constructor(side: Side, peer: string, now: number, options: ConnectionOptions, connection: Connection<W>) {
    super(peer, now, connection.timers);
    this.side = side;
    this.options = options;
    this.connection = connection;
  }

  get work(): W {
    return this.connection.work;
  }

  get session(): ToonSession {
    return this.connection.session;
  }

  /** The position and the time of a frame that crosses the connection now. */
  moment(): Moment {
    return { seq: this.connection.frameCount++, at: this.now };
  }

  /** Sends a message with the next sequence id; 0 follows the highest (TOON-31). */
  send<N extends MessageName>(type: N, payload: Payloads[N]): void {
    if (this.closed) return;
    const { connection, options, now } = this;
    const { epoch, compress } = options;
    const message = {
      type,
      sequenceId: connection.nextId,
      timestamp: String(Math.floor(epoch + now)),
      payload,
      ...(compress === undefined ? {} : { compress }),
    } as ToonMessage;
    connection.nextId = nextSequenceId(connection.nextId);
    connection.sentAt = now;
    observe(connection.session, this.side, message, this.moment());
    this.outputs.push({ type: 'send', peer: this.peer, message });
  }

  /** Answers a message that cannot be acted on; not while the carrier is full, because then the peer does not read. */
  sendError(code: string, message: string): void {
    if (!this.connection.full) this.send('ERROR', { code, message });
  }

  /** Whether a payload is small enough to send. */
  fits(payload: unknown): boolean {
    const text = JSON.stringify(payload) ?? '';
    const { maxPayload } = this.options;
    // A UTF-16 unit takes at most three bytes.
    return text.length * 3 <= maxPayload || new TextEncoder().encode(text).length <= maxPayload;
  }

  /** After an ERROR: waits as long for a sign of work as for a silent peer. */
  startDoubt(): void {
    this.startTimer('doubt', this.options.idle > 0 ? this.options.idle : defaultConnectionOptions.idle);
  }

  /** Stops reading messages, or resumes. */
  pause(paused: boolean): void {
    const { connection, peer } = this;
    if (this.closed || paused === connection.paused) return;
    connection.paused = paused;
    // The time before this does not count as silence of the peer: the role did not read.
    connection.receivedAt = this.now;
    this.outputs.push({ type: paused ? 'pause' : 'resume', peer });
  }
}
