/**
 * The part that both reference roles share: on each connection they number and stamp their messages, follow the other
 * side's with the machine, refuse bad ones, send heartbeats, and close after a long silence. The rest is the policy of
 * each role.
 */
import { brief, isObject } from '../../kit/base/index.ts';
import type { Role, RoleInput } from '../../kit/base/index.ts';
import { observe, observeUndecodable } from '../machine/machine.ts';
import type { SessionFault } from '../machine/machine.ts';
import { otherSide, startToonSession } from '../machine/state.ts';
import type { Draft, ScriptedCommand, Side, ToonMessage } from '../messages.ts';
import { ConnectionStep } from './step.ts';
import type { Connection, ConnectionOptions } from './step.ts';

/** The behaviour of one role on a connection. `W` is what it remembers of a connection. */
export interface ConnectionPolicy<W> {
  readonly side: Side;
  /** What it remembers of a new connection. */
  begin(): W;
  opened?(step: ConnectionStep<W>): void;
  /** A correct message that the other side may send. */
  message(step: ConnectionStep<W>, message: ToonMessage): void;
  /** A timer of the policy. */
  timer(step: ConnectionStep<W>, name: string): void;
  /** The other side sends no more messages. */
  halfClosed(step: ConnectionStep<W>): void;
  /** The carrier is full, or has room again. */
  loadChanged(step: ConnectionStep<W>): void;
  /** The connection broke. */
  left(step: ConnectionStep<W>): void;
  /** The command to send a message. Absent: such commands are ignored. */
  send?(step: ConnectionStep<W>, draft: Draft): void;
}

/** The state of a reference role; handed over at each step. */
export interface ConnectionsState<W> {
  /** The open connections, by the name of the link. */
  readonly open: Map<string, Connection<W>>;
}

/** A role that accepts connections and treats each one separately. A command is for all open connections. */
export type ConnectionRole<W> = Role<ConnectionsState<W>, ToonMessage, ToonMessage, ScriptedCommand>;

type Input = RoleInput<ToonMessage, ScriptedCommand>;

/** Makes a role of a policy. */
export function connectionRole<W>(
  policy: ConnectionPolicy<W>,
  options: ConnectionOptions,
): ConnectionRole<W> {
  return {
    name: `toon/${policy.side}`,
    start: () => ({ open: new Map() }),
    step(state, input, now) {
      const { open } = state;
      if (input.type === 'opened')
        open.set(input.peer, startConnection(policy.begin(), options, now, open.get(input.peer)));
      const peers = input.type === 'command' ? [...open.keys()] : [peerOf(input)];
      const outputs = peers.flatMap((peer) => {
        const connection = open.get(peer);
        if (connection === undefined) return [];
        const step = new ConnectionStep(policy.side, peer, now, options, connection);
        react(policy, step, input);
        if (step.closed) open.delete(peer);
        return step.outputs;
      });
      return { state, outputs };
    },
  };
}

const startConnection = <W>(
  work: W,
  { firstSequenceId }: ConnectionOptions,
  now: number,
  previous: Connection<W> | undefined,
): Connection<W> => ({
  session: startToonSession(),
  work,
  frameCount: 0,
  nextId: firstSequenceId >>> 0,
  receivedAt: now,
  sentAt: now,
  full: false,
  paused: false,
  halfClosed: false,
  timers: new Set(previous?.timers),
});

/** The link of an input. The id of a timer is `<name>:<link>`. */
function peerOf(input: Input): string {
  if (input.type === 'timer') return input.id.slice(input.id.indexOf(':') + 1);
  return 'peer' in input ? input.peer : '';
}

function react<W>(policy: ConnectionPolicy<W>, step: ConnectionStep<W>, input: Input): void {
  const { connection, options } = step;
  switch (input.type) {
    case 'opened':
      // An earlier connection of the same link may have left timers.
      step.stopTimers(connection.timers);
      if (options.idle > 0) step.startTimer('idle', options.idle);
      if (options.heartbeat > 0) step.startTimer('heartbeat', options.heartbeat);
      return policy.opened?.(step);
    case 'message':
      return receive(policy, step, input.message);
    case 'undecodable':
      return receiveBadFrame(step, input.reason, input.code);
    case 'timer':
      return fire(policy, step, input.id.slice(0, input.id.indexOf(':')));
    case 'half_close':
      connection.halfClosed = true;
      // Silence is normal from now on.
      step.stopTimers(['idle']);
      return policy.halfClosed(step);
    case 'full':
    case 'drained':
      connection.full = input.type === 'full';
      return policy.loadChanged(step);
    case 'left':
      policy.left(step);
      return step.end();
    case 'command':
      if (input.command.do === 'send') return policy.send?.(step, input.command.message);
      return input.command.do === 'raw' ? undefined : step.close(0, 'stopped');
    case 'started':
    case 'headers':
    case 'effect':
      return;
  }
}

/** The codes of the ERRORs with which a reference role refuses a message. Such an ERROR ends nothing. */
const refusals: ReadonlySet<unknown> = new Set(['BAD_FRAME', 'WRONG_DIRECTION']);

/** The ERROR code for each fault that makes a message unusable. With any other fault the message is acted on. */
const errorCodes: { readonly [fault in SessionFault]?: string } = {
  'bad-type': 'BAD_FRAME',
  'bad-payload': 'BAD_FRAME',
  'wrong-direction': 'WRONG_DIRECTION',
};

function receive<W>(policy: ConnectionPolicy<W>, step: ConnectionStep<W>, message: ToonMessage): void {
  const { connection, session, side } = step;
  connection.receivedAt = step.now;
  const code = message.type === 'ERROR' && isObject(message.payload) && message.payload['code'];
  // Only the other side saw the bad frame that it refuses. The machine learns of it here.
  if (refusals.has(code)) observeUndecodable(session, side, step.moment());
  const violations = observe(session, otherSide(side), message, step.moment());
  tellOrder(step);
  let usable = true;
  for (const violation of violations) {
    const errorCode = errorCodes[violation.code as SessionFault];
    if (violation.code !== 'sequence-not-rising') step.tell(violation.code, violation.message);
    if (errorCode === undefined) continue;
    usable = false;
    step.sendError(errorCode, violation.message);
  }
  if (usable) policy.message(step, message);
}

/** Tells of gaps, duplicates and reordered messages. They are processed all the same (TOON-33). */
function tellOrder(step: ConnectionStep): void {
  const { order, missing, sequence } = step.session[otherSide(step.side)];
  const last = String(sequence.last);
  if (order === 'gap') step.tell(order, `${missing} sequence ids are missing before ${last}`);
  else if (order === 'duplicate' || order === 'reordered')
    step.tell(order, `a sequence id that is not above ${last}`);
}

/** Answers a bad frame (TOON-41). A frame over the limit ends the connection (TOON-39). */
function receiveBadFrame(step: ConnectionStep, reason: string, code: string | undefined): void {
  step.connection.receivedAt = step.now;
  observeUndecodable(step.session, otherSide(step.side), step.moment());
  step.tell('bad-frame', brief(reason));
  step.sendError('BAD_FRAME', brief(reason));
  if (code === 'too-large') step.close(8, 'a frame over the limit');
}

/** A timer has fired. Timers are rounded up: a sub-millisecond timer would fire in a loop. */
function fire<W>(policy: ConnectionPolicy<W>, step: ConnectionStep<W>, name: string): void {
  const { connection, options, now } = step;
  // The host may fire a timer that was stopped at the same moment.
  if (!connection.timers.delete(name)) return;
  if (name === 'idle') {
    // A peer that takes messages while this role does not read may be alive.
    const receivedAt = connection.paused && !connection.full ? now : connection.receivedAt;
    const left = options.idle - (now - receivedAt);
    if (left > 0) return step.startTimer('idle', Math.ceil(left));
    step.tell('silent', `nothing came for ${options.idle} ms`);
    step.close(4, 'silent');
  } else if (name === 'heartbeat') {
    const left = options.heartbeat - (now - connection.sentAt);
    if (left <= 0 && !connection.full) step.send('HEARTBEAT', {});
    step.startTimer('heartbeat', left > 0 ? Math.ceil(left) : options.heartbeat);
  } else policy.timer(step, name);
}
