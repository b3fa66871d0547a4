/** The outputs of one step of the reference gateway. */
import { StepOutputs } from '../step-outputs.ts';
import type { ServerMessage } from '../messages.ts';
import type { GatewayOut } from '../stream-codecs.ts';
import type { LedgerEffect } from './ledger.ts';
import { gatewayLimits } from './options.ts';
import type { Settings } from './options.ts';
import type { AgentLink, GatewayState } from './state.ts';

/** One step of the gateway: its state, its time, and its outputs. */
export class Outputs extends StepOutputs<GatewayState, GatewayOut> {
  /** Agents that do not read their messages. Their streams are closed after the step. */
  readonly overrun: AgentLink[] = [];
  readonly settings: Settings;

  constructor(state: GatewayState, now: number, settings: Settings) {
    super(state, now);
    this.settings = settings;
  }

  /** Unix milliseconds. */
  get unix(): number {
    return this.settings.epoch + this.now;
  }

  newId(): string {
    return this.settings.uuid?.() ?? `id-${++this.state.serial}`;
  }

  /** Sends to an agent, and counts its messages while its carrier is full. */
  toAgent(agent: AgentLink, message: ServerMessage): void {
    this.send(agent.peer, message);
    if (agent.full && ++agent.unread === gatewayLimits.unread) this.overrun.push(agent);
  }

  /** Closes a stream and forgets its link. */
  end(peer: string, code: number, message: string): void {
    this.close(peer, code, message);
    this.state.links.delete(peer);
  }

  effect(id: string, effect: LedgerEffect): void {
    this.outputs.push({ type: 'effect', id, effect });
  }
}
