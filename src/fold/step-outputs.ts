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

  dial(peer: string, metadata: Metadata, keepalive?: number): void {
    const pings = keepalive === undefined ? {} : { keepalive };
    this.outputs.push({ type: 'dial', peer, metadata, ...pings });
  }

  headers(peer: string): void {
    this.outputs.push({ type: 'headers', peer, metadata: {} });
  }

  send(peer: string, message: Out): void {
    this.outputs.push({ type: 'send', peer, message });
  }

  halfClose(peer: string): void {
    this.outputs.push({ type: 'half_close', peer });
  }

  close(peer: string, code: number, message: string): void {
    this.outputs.push({ type: 'close', peer, status: { code, message } });
  }

  startTimer(id: string, ms: number): void {
    this.outputs.push({ type: 'start_timer', id, ms: Math.min(longestTimer, Math.max(0, ms)) });
  }

  stopTimer(id: string): void {
    this.outputs.push({ type: 'stop_timer', id });
  }

  /** Reports that there is no stream for a command. */
  unsent(command: string): void {
    this.tell(unsentTopic, JSON.stringify(command));
  }

  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail });
  }
}
