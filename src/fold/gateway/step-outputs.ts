/** The outputs of one step of the reference gateway. */
import type { Metadata, RoleOutput } from '../../kit/base/index.ts';
import type { LedgerEffect } from './ledger.ts';
import { gatewayLimits } from './options.ts';
import type { Settings } from './options.ts';
import type { AgentLink, GatewayState } from './state.ts';
import type { ServerMessage } from '../messages.ts';
import type { GatewayOut } from '../stream-codecs.ts';

/** The longest timer (ms): the largest signed 32-bit number. */
const longestTimer = 0x7fffffff;

/** One step of the gateway: its state, its time, and its outputs. */
export class StepOutputs {
  readonly outputs: RoleOutput<GatewayOut>[] = [];
  /** Agents that do not read their messages. Their streams are closed after the step. */
  readonly overrun: AgentLink[] = [];
  readonly state: GatewayState;
  readonly now: number;
  readonly settings: Settings;

  constructor(state: GatewayState, now: number, settings: Settings) {
    this.state = state;
    this.now = now;
    this.settings = settings;
  }

  /** Unix milliseconds. */
  get unix(): number {
    return this.settings.epoch + this.now;
  }

  /** A new id. */
  newId(): string {
    return this.settings.uuid?.() ?? `id-${++this.state.serial}`;
  }

  send(peer: string, message: GatewayOut): void {
    this.outputs.push({ type: 'send', peer, message });
  }

  /** Sends to an agent, and counts its messages while its carrier is full. */
  toAgent(agent: AgentLink, message: ServerMessage): void {
    this.send(agent.peer, message);
    if (agent.full && ++agent.unread === gatewayLimits.unread) this.overrun.push(agent);
  }

  headers(peer: string, metadata: Metadata): void {
    this.outputs.push({ type: 'headers', peer, metadata });
  }

  close(peer: string, status: number, message: string): void {
    this.outputs.push({ type: 'close', peer, status: { code: status, message } });
  }

  /** Closes a stream and forgets its link. */
  refuse(peer: string, status: number, message: string): void {
    this.close(peer, status, message);
    this.state.links.delete(peer);
  }

  startTimer(id: string, ms: number): void {
    this.outputs.push({ type: 'start_timer', id, ms: Math.min(longestTimer, Math.max(0, ms)) });
  }

  stopTimer(id: string): void {
    this.outputs.push({ type: 'stop_timer', id });
  }

  effect(id: string, effect: LedgerEffect): void {
    this.outputs.push({ type: 'effect', id, effect });
  }

  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail });
  }
}
