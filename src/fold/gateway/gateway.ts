/**
 * The reference gateway: agents, packs and operators meet here. A pure role; spec/fold/README.md is its contract.
 * This file says which part takes what comes; the parts are the other gateway-*.ts.
 */
import type { Metadata, Role, RoleInput } from '../../kit/base/index.ts';
import { cancelTimedOut, disconnect, heard, lose, saidAll } from './agents.ts';
import { undecided } from './approvals.ts';
import { authenticate } from './auth.ts';
import { drained, filled, leave, stalled } from './flow.ts';
import { unacked } from './injections.ts';
import { askedAll, called, consulted } from './operators.ts';
import { code, settingsOf } from './options.ts';
import type { GatewayOptions } from './options.ts';
import { callTimedOut, lostPack, register, result } from './packs.ts';
import { StepOutputs, newGateway } from './state.ts';
import type { GatewayState, Link } from './state.ts';
import { halt, stop } from './stop.ts';
import { wireOf } from '../stream-codecs.ts';
import type { GatewayIn, GatewayOut } from '../stream-codecs.ts';

export { defaultGatewayOptions, gatewayLimits } from './options.ts';
export type { GatewayAuth, GatewayOptions, GatewayTimeouts, PrincipalStatus } from './options.ts';
export type {
  ActiveRequest,
  AgentLink,
  Approval,
  GatewayState,
  Link,
  OperatorLink,
  PackCall,
  PackLink,
  PackTool,
  Question,
  ResultLink,
  SendCall,
} from './state.ts';

/** What a gateway's process may be told. */
export interface GatewayCommand {
  readonly do: 'shutdown';
  readonly reason?: string;
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
      const pen = new StepOutputs(state, now, settings);
      react(pen, input);
      for (const agent of pen.overrun) overran(pen, agent.peer);
      if (state.phase === 'stopping' && state.requests.size === 0) halt(pen);
      return { state, outputs: pen.outputs };
    },
  };
}

function react(pen: StepOutputs, input: RoleInput<GatewayIn, GatewayCommand>): void {
  if (input.type === 'timer') return timer(pen, input.id);
  if (input.type === 'effect') return consulted(pen, input.id, input.result);
  if (input.type === 'command') return stop(pen, input.command.reason ?? '');
  if (input.type === 'started') return;
  if (input.type === 'opened') return opened(pen, input.peer, input.metadata);
  const link = pen.state.links.get(input.peer);
  if (link === undefined) return;
  switch (input.type) {
    case 'message':
      return message(pen, link, input.message);
    case 'undecodable':
      return undecodable(pen, link, input.reason);
    case 'half_close':
      return halfClosed(pen, link);
    case 'left':
      return left(pen, link);
    case 'full':
      return filled(pen, link);
    case 'drained':
      return drained(pen, link);
    case 'headers':
      return;
    default:
      input satisfies never;
  }
}

/** Headers come first, whatever else: some agents say nothing before them (G01). */
function opened(pen: StepOutputs, peer: string, metadata: Metadata): void {
  const { state } = pen;
  if (state.links.has(peer)) return;
  const { kind } = wireOf(metadata[':path']);
  pen.headers(peer, {});
  // Who carries an operator has asked who it is.
  const principal =
    kind === 'operator' ? ({ ok: true, value: 'operator' } as const) : authenticate(pen, metadata);
  if (!principal.ok) return pen.close(peer, principal.error.code, principal.error.message);
  if (
    state.phase === 'stopped' ||
    (state.phase === 'stopping' && kind !== 'operator' && kind !== 'pack_result')
  )
    return pen.close(peer, code.unavailable, state.reason);
  state.links.set(peer, newLink(kind, peer, principal.value));
}

function newLink(kind: Link['kind'], peer: string, principal: string): Link {
  const any = { peer, principal, full: false };
  switch (kind) {
    case 'operator':
      return { ...any, kind, asked: false, request: '', holds: new Set() };
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
        asked: new Map(),
        calls: new Map(),
        injections: new Set(),
        heldBy: new Set(),
        owed: 0,
      };
  }
}

function message(pen: StepOutputs, link: Link, m: GatewayIn): void {
  if (link.kind === 'agent') return heard(pen, link, m);
  if (link.kind === 'operator') return called(pen, link, m);
  if (link.kind === 'pack' && 'manifest' in m) return register(pen, link, m.manifest);
  if (link.kind === 'pack_result' && 'tool_response' in m) return result(pen, link, m.tool_response);
  pen.tell('ignored', `a message on ${link.peer} that is not for such a stream`);
}

/** A first message that cannot be read ends its stream; a later one is not there. */
function undecodable(pen: StepOutputs, link: Link, reason: string): void {
  const begun = link.kind === 'agent' ? link.listing !== undefined : link.kind === 'pack' && link.id !== '';
  if (begun || (link.kind === 'operator' && link.asked))
    return pen.tell('ignored', `bytes on ${link.peer} that are no message: ${reason}`);
  turnAway(pen, link, reason);
}

function halfClosed(pen: StepOutputs, link: Link): void {
  if (link.kind === 'agent') return saidAll(pen, link);
  if (link.kind === 'operator') return askedAll(pen, link);
  // A pack has said all in its manifest; a result's stream is closed when it has come.
  if (link.kind === 'pack' && link.id !== '') return;
  turnAway(pen, link, 'expected a message; the stream ended before it');
}

/** Closes a stream that has not begun as it must. */
function turnAway(pen: StepOutputs, link: Link, message: string): void {
  pen.close(link.peer, code.invalid, message);
  left(pen, link);
}

function left(pen: StepOutputs, link: Link): void {
  if (link.kind === 'agent') lose(pen, link, 'its stream broke');
  else if (link.kind === 'operator') leave(pen, link);
  else if (link.kind === 'pack') lostPack(pen, link);
  else pen.state.links.delete(link.peer);
}

function overran(pen: StepOutputs, peer: string): void {
  const link = pen.state.links.get(peer);
  if (link?.kind !== 'agent') return;
  disconnect(pen, link, code.exhausted, 'it does not read what it is sent');
}

const timers: { readonly [kind: string]: (pen: StepOutputs, key: string) => void } = {
  cancel: cancelTimedOut,
  approval: undecided,
  pack: callTimedOut,
  injection: unacked,
  stalled,
  stop: halt,
};

function timer(pen: StepOutputs, id: string): void {
  const colon = id.indexOf(':');
  const kind = id.slice(0, Math.max(0, colon));
  if (Object.hasOwn(timers, kind)) timers[kind]?.(pen, id.slice(colon + 1));
}
