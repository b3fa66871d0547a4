/**
 * The reference gateway between agents, packs and operators. A pure role; spec/fold/README.md is its contract. This
 * file gives each input to the part of the gateway that handles it.
 */
import type { Metadata, Role, RoleInput } from '../../kit/base/index.ts';
import { onCancelTimeout, disconnectAgent, onAgentMessage, agentLost, onAgentHalfClose } from './agents.ts';
import { onApprovalTimeout } from './approvals.ts';
import { authenticate } from './auth.ts';
import { endCall, onDrained, onFull, removeOperator, onStalledTimeout } from './flow.ts';
import { onAckTimeout } from './injections.ts';
import { onOperatorHalfClose, onOperatorCall, onLedgerResult } from './operators.ts';
import { code, settingsOf } from './options.ts';
import type { GatewayOptions } from './options.ts';
import { onPackTimeout, packLost, registerPack, onPackResult } from './packs.ts';
import { newGateway } from './state.ts';
import { Outputs } from './step-outputs.ts';
import type { GatewayState, Link } from './state.ts';
import { finishShutdown, onPlannedShutdown, planShutdown } from './stop.ts';
import { wireOf } from '../stream-codecs.ts';
import type { GatewayIn, GatewayOut } from '../stream-codecs.ts';

/** A command to the gateway. */
export interface GatewayCommand {
  readonly do: 'shutdown';
  readonly reason?: string;
  /** After this time (ms), which agents are told; absent: at once. */
  readonly after?: number;
}

/** The reference gateway as a role. */
export type GatewayRole = Role<GatewayState, GatewayIn, GatewayOut, GatewayCommand>;

/**
 * Makes the reference gateway.
 *
 * @example
 * const role = gateway({ server_id: 'home' });
 * const opened = { type: 'opened', peer: 's1', metadata: { ':path': '/coven.CovenControl/AgentStream' } } as const;
 * role.step(role.start(), opened, 0).outputs[0]?.type; // 'headers'
 */
export function gateway(options: Partial<GatewayOptions> = {}): GatewayRole {
  const settings = settingsOf(options);
  return {
    name: 'fold/gateway',
    start: newGateway,
    step(state, input, now) {
      const out = new Outputs(state, now, settings);
      react(out, input);
      for (const agent of out.overrun) disconnectSlowReader(out, agent.peer);
      // Idle agents may close their streams themselves, within the time that Shutdown leaves them.
      if (state.phase === 'stopping' && state.requests.size === 0 && state.agents.size === 0)
        finishShutdown(out);
      return { state, outputs: out.outputs };
    },
  };
}

function react(out: Outputs, input: RoleInput<GatewayIn, GatewayCommand>): void {
  if (input.type === 'timer') return onTimer(out, input.id);
  if (input.type === 'effect') return onLedgerResult(out, input.id, input.result);
  if (input.type === 'command')
    return planShutdown(out, input.command.reason ?? '', input.command.after ?? 0);
  if (input.type === 'started') return;
  if (input.type === 'opened') return onOpened(out, input.peer, input.metadata);
  const link = out.state.links.get(input.peer);
  if (link === undefined) return;
  switch (input.type) {
    case 'message':
      return onMessage(out, link, input.message);
    case 'undecodable':
      return onUndecodable(out, link, input.reason);
    case 'half_close':
      return onHalfClose(out, link);
    case 'left':
      return onLeft(out, link);
    case 'full':
      return onFull(out, link);
    case 'drained':
      return onDrained(out, link);
    case 'headers':
      return;
    default:
      input satisfies never;
  }
}

/** Sends headers first in every case, because some agents wait for them before they register (G01). */
function onOpened(out: Outputs, peer: string, metadata: Metadata): void {
  const { state } = out;
  if (state.links.has(peer)) return;
  const { kind } = wireOf(metadata[':path']);
  out.headers(peer);
  // The carrier of an operator has checked its credentials.
  const principal =
    kind === 'operator' ? ({ ok: true, value: 'operator' } as const) : authenticate(out, metadata);
  if (!principal.ok) return out.close(peer, principal.error.code, principal.error.message);
  const shortCall = kind === 'operator' || kind === 'pack_result';
  if (state.phase === 'stopped' || (state.phase === 'stopping' && !shortCall))
    return out.close(peer, code.unavailable, state.reason);
  state.links.set(peer, newLink(kind, peer, principal.value));
}

function newLink(kind: Link['kind'], peer: string, principal: string): Link {
  const any = { peer, principal, full: false };
  switch (kind) {
    case 'operator':
      return { ...any, kind, called: false, request: '', pausing: new Set() };
    case 'pack':
      return { ...any, kind, id: '', tools: [], calls: new Set() };
    case 'pack_result':
      return { ...any, kind };
    case 'agent':
    default:
      return {
        ...any,
        kind: 'agent',
        listing: undefined,
        features: new Set(),
        token: '',
        requests: new Set(),
        approvals: new Map(),
        calls: new Map(),
        injections: new Set(),
        pausedBy: new Set(),
        unread: 0,
      };
  }
}

function onMessage(out: Outputs, link: Link, m: GatewayIn): void {
  if (link.kind === 'agent') return onAgentMessage(out, link, m);
  if (link.kind === 'operator') return onOperatorCall(out, link, m);
  if (link.kind === 'pack' && 'manifest' in m) return registerPack(out, link, m.manifest);
  if (link.kind === 'pack_result' && 'tool_response' in m) return onPackResult(out, link, m.tool_response);
  out.tell('ignored', `a message on ${link.peer} that is not for such a stream`);
}

/** An undecodable first message ends its stream; a later one is ignored. */
function onUndecodable(out: Outputs, link: Link, reason: string): void {
  const ready = link.kind === 'agent' ? link.listing !== undefined : link.kind === 'pack' && link.id !== '';
  if (ready || (link.kind === 'operator' && link.called))
    return out.tell('ignored', `bytes on ${link.peer} that are no message: ${reason}`);
  refuseStream(out, link, reason);
}

function onHalfClose(out: Outputs, link: Link): void {
  if (link.kind === 'agent') return onAgentHalfClose(out, link);
  if (link.kind === 'operator') return onOperatorHalfClose(out, link);
  // A pack half-closes after its manifest. The gateway closes a result's stream when it has the result.
  if (link.kind === 'pack' && link.id !== '') return;
  refuseStream(out, link, 'expected a message; the stream ended before it');
}

/** Closes a stream without a valid first message. */
function refuseStream(out: Outputs, link: Link, message: string): void {
  if (link.kind === 'operator') endCall(out, link, code.invalid, message);
  else out.end(link.peer, code.invalid, message);
}

function onLeft(out: Outputs, link: Link): void {
  if (link.kind === 'agent') agentLost(out, link, 'its stream broke');
  else if (link.kind === 'operator') removeOperator(out, link);
  else if (link.kind === 'pack') packLost(out, link);
  else out.state.links.delete(link.peer);
}

function disconnectSlowReader(out: Outputs, peer: string): void {
  const link = out.state.links.get(peer);
  if (link?.kind !== 'agent') return;
  disconnectAgent(out, link, code.exhausted, 'it does not read what it is sent');
}

const timers: { readonly [kind: string]: (out: Outputs, key: string) => void } = {
  cancel: onCancelTimeout,
  approval: onApprovalTimeout,
  pack: onPackTimeout,
  injection: onAckTimeout,
  stalled: onStalledTimeout,
  planned: onPlannedShutdown,
  stop: finishShutdown,
};

function onTimer(out: Outputs, id: string): void {
  const colon = id.indexOf(':');
  const kind = id.slice(0, Math.max(0, colon));
  if (Object.hasOwn(timers, kind)) timers[kind]?.(out, id.slice(colon + 1));
}
