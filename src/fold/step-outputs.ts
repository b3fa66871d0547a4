/** The outputs of one step of a role. */
import { unsentTopic } from '../kit/base/index.ts';
import type { Metadata, RoleOutput } from '../kit/base/index.ts';

/** The longest timer (ms): the largest signed 32-bit number. */
const longestTimer = 0x7fffffff;

/** One step of a role: its state, its time (ms on the host's clock), and its outputs. */
export class StepOutputs<S, Out> {
  readonly outputs: RoleOutput<Out>[] = [];
  readonly state: S;
  readonly now: number;

  constructor(state: S, now: number) {
    this.state = state;
    this.now = now;
  }

  /** Opens a stream. */
  dial(peer: string, metadata: Metadata, keepalive?: number): void {
    const pings = keepalive === undefined ? {} : { keepalive };
    this.outputs.push({ type: 'dial', peer, metadata, ...pings });
  }

  /** Sends the response headers of a stream, which are empty. */
  headers(peer: string): void {
    this.outputs.push({ type: 'headers', peer, metadata: {} });
  }

  /** Sends a message. */
  send(peer: string, message: Out): void {
    this.outputs.push({ type: 'send', peer, message });
  }

  /** Half-closes a stream: this side sends no more. */
  halfClose(peer: string): void {
    this.outputs.push({ type: 'half_close', peer });
  }

  /** Closes a stream with a status. */
  close(peer: string, code: number, message: string): void {
    this.outputs.push({ type: 'close', peer, status: { code, message } });
  }

  /** Starts a timer, or moves it, to fire after this time (ms). */
  startTimer(id: string, ms: number): void {
    this.outputs.push({ type: 'start_timer', id, ms: Math.min(longestTimer, Math.max(0, ms)) });
  }

  /** Stops a timer; nothing happens if it does not run. */
  stopTimer(id: string): void {
    this.outputs.push({ type: 'stop_timer', id });
  }

  /** Reports that there is no stream for a command. */
  unsent(command: string): void {
    this.tell(unsentTopic, JSON.stringify(command));
  }

  /** Tells the application something. */
  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail });
  }
}
