/**
 * What both reference roles do on a connection, whatever their side of it: number and stamp what they send, watch
 * the other side's messages through the machine, refuse what cannot be acted on, send heartbeats, and give up a
 * peer that is silent. What is a role's own is its policy: orchestrator.ts, subagent.ts.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Role, RoleInput } from '../../kit/base/index.ts';
import { observe, observeUndecodable } from './machine.ts';
import { otherSide, startToonSession } from './state.ts';
import type { SessionFault } from './state.ts';
import { StepOutputs, brief } from './step-outputs.ts';
import type { Connection, ConnectionOptions } from './step-outputs.ts';
import type { Side, ToonMessage } from '../messages.ts';
import type { ScriptedCommand } from '../simulated/peer.ts';

/** What a role does of its own on a connection; `work` is what it remembers of it. */
export interface Policy<W> {
  readonly side: Side;
  /** What is remembered of a fresh connection. */
  begin(): W;
  opened(pen: StepOutputs, work: W): void;
  /** A message to act on: of a type and a payload that the other side may send. */
  message(pen: StepOutputs, work: W, message: ToonMessage): void;
  /** A timer of the role's own. */
  timer(pen: StepOutputs, work: W, name: string): void;
  /** The other side will send no more. */
  deaf(pen: StepOutputs, work: W): void;
  /** The carrier is full, and later has room again. */
  full(pen: StepOutputs, work: W): void;
  room(pen: StepOutputs, work: W): void;
  /** The connection is gone. */
  left(pen: StepOutputs, work: W): void;
  /** Whoever runs the role wants something sent; that it ends is done already. */
  command(pen: StepOutputs, work: W, command: ScriptedCommand): void;
}

interface Known<W> {
  readonly connection: Connection;
  readonly work: W;
}

/** The state of a role that speaks on connections; handed over at each step. */
export interface ConnectionsState<W> {
  /** By the name of the link. */
  readonly open: Map<string, Known<W>>;
}

/** A role that waits for connections, and treats each by itself. */
export type ConnectionRole<W> = Role<ConnectionsState<W>, ToonMessage, ToonMessage, ScriptedCommand>;

type Command = { readonly type: 'command'; readonly command: ScriptedCommand };
type Input = Exclude<RoleInput<ToonMessage, ScriptedCommand>, Command>;

/** Makes a role of a policy. */
export function connectionRole<W>(policy: Policy<W>, options: ConnectionOptions): ConnectionRole<W> {
  return {
    name: `toon/${policy.side}`,
    start: () => ({ open: new Map() }),
    step(state, input, now) {
      if (input.type === 'command') return commanded(policy, options, state, input.command, now);
      const peer = peerOf(input);
      const known = input.type === 'opened' ? fresh(policy, options, now) : state.open.get(peer);
      if (known === undefined) return { state, outputs: [] };
      const pen = new StepOutputs(policy.side, peer, now, options, known.connection);
      if (input.type === 'opened') {
        state.open.get(peer)?.connection.timers.forEach((name) => pen.stopLeftover(name));
        state.open.set(peer, known);
      }
      react(policy, pen, known.work, input);
      if (pen.closed) state.open.delete(peer);
      return { state, outputs: pen.outputs };
    },
  };
}

/** A command is for all connections that are open. */
function commanded<W>(
  policy: Policy<W>,
  options: ConnectionOptions,
  state: ConnectionsState<W>,
  command: ScriptedCommand,
  now: number,
): ReturnType<ConnectionRole<W>['step']> {
  const outputs = [...state.open].flatMap(([peer, { connection, work }]) => {
    const pen = new StepOutputs(policy.side, peer, now, options, connection);
    if (command.do === 'end' || command.do === 'shutdown') pen.close(0, 'stopped');
    else policy.command(pen, work, command);
    if (pen.closed) state.open.delete(peer);
    return pen.outputs;
  });
  return { state, outputs };
}

const fresh = <W>(policy: Policy<W>, options: ConnectionOptions, now: number): Known<W> => ({
  connection: {
    session: startToonSession(),
    crossed: 0,
    nextId: options.firstSequenceId >>> 0,
    heard: now,
    said: now,
    full: false,
    paused: false,
    deaf: false,
    timers: new Set(),
  },
  work: policy.begin(),
});

/** Timers are named `<name>:<link>`. */
const peerOf = (input: Input): string => {
  if (input.type === 'timer') return input.id.slice(input.id.indexOf(':') + 1);
  return 'peer' in input ? input.peer : '';
};

function react<W>(policy: Policy<W>, pen: StepOutputs, work: W, input: Input): void {
  const { connection, options } = pen;
  switch (input.type) {
    case 'opened':
      if (options.idle > 0) pen.start('idle', options.idle);
      if (options.heartbeat > 0) pen.start('heartbeat', options.heartbeat);
      return policy.opened(pen, work);
    case 'message':
      return take(policy, pen, work, input.message);
    case 'undecodable':
      return refuse(pen, input.reason, input.code);
    case 'timer':
      return timer(policy, pen, work, input.id.slice(0, input.id.indexOf(':')));
    case 'half_close':
      connection.deaf = true;
      // Nobody will be heard any more: silence says nothing.
      pen.stop('idle');
      return policy.deaf(pen, work);
    case 'full':
      connection.full = true;
      return policy.full(pen, work);
    case 'drained':
      connection.full = false;
      return policy.room(pen, work);
    case 'left':
      policy.left(pen, work);
      return pen.gone();
    case 'started':
    case 'headers':
    case 'effect':
      return;
    default:
      input satisfies never;
  }
}

/** The codes with which the reference roles say that they did not take a message; it is no end of anything. */
const refusals: ReadonlySet<unknown> = new Set(['BAD_FRAME', 'WRONG_DIRECTION']);

/** How faults are answered; those that are not here are told to the application, and the message is acted on. */
const answers: { readonly [fault in SessionFault]?: string } = {
  'bad-type': 'BAD_FRAME',
  'bad-payload': 'BAD_FRAME',
  'wrong-direction': 'WRONG_DIRECTION',
};

function take<W>(policy: Policy<W>, pen: StepOutputs, work: W, message: ToonMessage): void {
  const { connection, side } = pen;
  const { session } = connection;
  connection.heard = pen.now;
  const refused = message.type === 'ERROR' && isObject(message.payload) && message.payload['code'];
  // Only the other side saw that something of ours was no message; now the machine knows too.
  if (refusals.has(refused)) observeUndecodable(session, side, pen.moment());
  const violations = observe(session, otherSide(side), message, pen.moment());
  tellOrder(pen);
  let sound = true;
  for (const violation of violations) {
    const code = answers[violation.code as SessionFault];
    if (violation.code !== 'sequence-not-rising') pen.tell(violation.code, violation.message);
    if (code === undefined) continue;
    sound = false;
    pen.answer(code, violation.message);
  }
  if (sound) policy.message(pen, work, message);
}

/** Gaps, duplicates and reordered messages are told, and processed all the same (TOON-33). */
function tellOrder(pen: StepOutputs): void {
  const { order, missing, sequence } = pen.connection.session[otherSide(pen.side)];
  if (order === 'gap') pen.tell(order, `${missing} sequence ids are missing before ${String(sequence.last)}`);
  else if (order === 'duplicate' || order === 'reordered')
    pen.tell(order, `a sequence id that is not above ${String(sequence.last)}`);
}

/** A frame that is no message is answered (TOON-41); one over the cap ends the connection (TOON-39). */
function refuse(pen: StepOutputs, reason: string, code: string | undefined): void {
  const { connection, side, now } = pen;
  connection.heard = now;
  observeUndecodable(connection.session, otherSide(side), pen.moment());
  pen.tell('bad-frame', brief(reason));
  pen.answer('BAD_FRAME', brief(reason));
  if (code === 'too-large') pen.close(8, 'a frame over the limit');
}

/** Whole milliseconds: of less than what a clock can tell apart, a timer would be due again and again. */
function timer<W>(policy: Policy<W>, pen: StepOutputs, work: W, name: string): void {
  const { connection, options, now } = pen;
  // One that was stopped may still fire: the host had it in hand.
  if (!connection.timers.delete(name)) return;
  if (name === 'idle') {
    // One that is not listened to, but takes what is sent, may be as alive as any.
    const heard = connection.paused && !connection.full ? now : connection.heard;
    const left = options.idle - (now - heard);
    if (left > 0) return pen.start('idle', Math.ceil(left));
    pen.tell('silent', `nothing came for ${options.idle} ms`);
    pen.close(4, 'silent');
  } else if (name === 'heartbeat') {
    const left = options.heartbeat - (now - connection.said);
    if (left <= 0 && !connection.full) pen.say('HEARTBEAT', {});
    pen.start('heartbeat', left > 0 ? Math.ceil(left) : options.heartbeat);
  } else policy.timer(pen, work, name);
}
