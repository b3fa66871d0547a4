/** A stage for the reference gateway: agents, packs and operators that say what a test has them say. */
import { operatorPath } from '../operator.ts';
import type { OperatorReply, OperatorRequest } from '../operator.ts';
import type { Metadata, RoleInput, RoleOutput, Status } from '../../kit/base/index.ts';
import { gateway } from './gateway.ts';
import type { GatewayCommand } from './gateway.ts';
import type { GatewayOptions } from './options.ts';
import type { GatewayState } from './state.ts';
import { memoryLedger, runLedger } from './ledger.ts';
import type { Ledger, LedgerEffect } from './ledger.ts';
import { protocolFeatures } from '../messages.ts';
import type {
  AgentMessage,
  MessageResponse,
  PackManifest,
  RegisterAgent,
  ServerMessage,
} from '../messages.ts';
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';
import { agentPaths, packRegisterPath, packResultPath } from '../stream-codecs.ts';
import type { GatewayIn, GatewayOut, PackOrder, WireKind } from '../stream-codecs.ts';

/** The paths of streams, by who opens them. */
export const paths: { readonly [K in WireKind]: string } = {
  agent: agentPaths[0] ?? '',
  pack: packRegisterPath,
  pack_result: packResultPath,
  operator: operatorPath,
};

const isLedger = (effect: unknown): effect is LedgerEffect =>
  typeof effect === 'object' && effect !== null && 'ledger' in effect;

/** The reference gateway on a stage, with a ledger in memory. */
export class GatewayStage extends RoleStage<GatewayState, GatewayIn, GatewayOut, GatewayCommand> {
  readonly ledger: Ledger = memoryLedger();
  #streams = 0;

  constructor(options: Partial<GatewayOptions> = {}) {
    super(gateway(options));
    this.give({ type: 'started' });
  }

  override give(input: RoleInput<GatewayIn, GatewayCommand>): number {
    const before = this.outputs.length;
    const count = super.give(input);
    for (const output of this.outputs.slice(before)) {
      if (output.type !== 'effect' || !isLedger(output.effect)) continue;
      const result = runLedger(this.ledger, output.effect);
      if (result !== undefined) this.give({ type: 'effect', id: output.id, result });
    }
    return count;
  }

  /** A stream opens. @returns its name */
  open(kind: WireKind, metadata: Metadata = {}): string {
    const peer = `${kind}-${++this.#streams}`;
    this.give({ type: 'opened', peer, metadata: { ':path': paths[kind], ...metadata } });
    return peer;
  }

  /** A stream says something. */
  say(peer: string, message: GatewayIn): void {
    this.give({ type: 'message', peer, message });
  }

  /** An agent that is ready. @returns its stream */
  agent(agent_id: string, register: RegisterAgent = {}): string {
    const peer = this.open('agent');
    this.say(peer, { register: { agent_id, protocol_features: protocolFeatures, ...register } });
    this.outputs = this.outputs.filter((output) => !('peer' in output) || output.peer !== peer);
    return peer;
  }

  /** A pack that has registered. @returns its stream */
  pack(manifest: PackManifest): string {
    const peer = this.open('pack');
    this.say(peer, { manifest });
    this.give({ type: 'half_close', peer });
    return peer;
  }

  /** An operator calls. @returns its stream */
  call(request: OperatorRequest): string {
    const peer = this.open('operator');
    this.say(peer, request);
    this.give({ type: 'half_close', peer });
    return peer;
  }

  /** An operator gives an agent work. @returns its stream, and the request as the agent got it */
  work(
    agent: string,
    send: Partial<OperatorRequest['send']> = {},
  ): { operator: string; id: string; thread: string } {
    const operator = this.call({ send: { content: 'work', sender: 'me', ...send } });
    const got = this.heard(agent).find((message) => message.send_message !== undefined)?.send_message;
    return { operator, id: got?.request_id ?? '', thread: got?.thread_id ?? '' };
  }

  /** An agent answers a request. */
  respond(agent: string, request_id: string, event: Omit<MessageResponse, 'request_id'>): void {
    // The event is one of the schema's.
    const response = { request_id, ...event } as MessageResponse;
    this.say(agent, { response });
  }

  /** A pack's result arrives, on a call of its own. @returns that call's stream */
  result(request_id: string, answer: { output_json: string } | { error: string } | object): string {
    const peer = this.open('pack_result');
    this.say(peer, { tool_response: { request_id, ...answer } });
    return peer;
  }

  /** The outputs to a stream since it was last asked. */
  of(peer: string): RoleOutput<GatewayOut>[] {
    const mine = this.outputs.filter((output) => 'peer' in output && output.peer === peer);
    this.outputs = this.outputs.filter((output) => !mine.includes(output));
    return mine;
  }

  /** The messages to an agent since it was last asked; its stream's other outputs are gone. */
  heard(peer: string): ServerMessage[] {
    return this.messages(peer) as ServerMessage[];
  }

  /** The same for a pack. */
  orders(peer: string): PackOrder[] {
    return this.messages(peer) as PackOrder[];
  }

  /** What an operator heard, and how its call ended if it did. */
  replies(peer: string): (OperatorReply | { end: number })[] {
    return this.of(peer).flatMap((output): (OperatorReply | { end: number })[] => {
      if (output.type === 'send') return [output.message as OperatorReply];
      return output.type === 'close' ? [{ end: output.status.code }] : [];
    });
  }

  /** How a stream was closed, if it was. */
  ended(peer: string): Status | undefined {
    return this.of(peer).find((output) => output.type === 'close')?.status;
  }

  /** What it told its application since it was last asked. */
  told(): string[] {
    const told = this.outputs.flatMap((output) => (output.type === 'tell' ? [output.what] : []));
    this.outputs = this.outputs.filter((output) => output.type !== 'tell');
    return told;
  }

  private messages(peer: string): GatewayOut[] {
    return this.of(peer).flatMap((output) => (output.type === 'send' ? [output.message] : []));
  }
}

/** What an agent says, as an agent's message: for lists of oddities. */
export const odd = (message: object): AgentMessage => message;
