/**
 * The part that both reference roles share: they serve each link separately, keep its load, drop messages that cannot be
 * read, and obey commands. The rest is the policy of each role.
 */
import type { PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { LinkStep } from './step.ts';
import type { LinkState, LinksState } from './step.ts';

/** The behaviour of one role on a link. `W` is what it remembers of a link. */
export interface LinkPolicy<W, In, Out> {
  readonly name: string;
  /** What it remembers of a new link. */
  begin(): W;
  opened?(step: LinkStep<W, Out>): void;
  message(step: LinkStep<W, Out>, message: In): void;
  /** A message that cannot be read was dropped. */
  dropped?(step: LinkStep<W, Out>): void;
  /** A timer of the policy. */
  timer?(step: LinkStep<W, Out>, name: string): void;
  /** The other side sends no more messages. */
  halfClosed(step: LinkStep<W, Out>): void;
  /** The carrier is full, or has room again. */
  loadChanged(step: LinkStep<W, Out>): void;
  /** The link broke. */
  left?(step: LinkStep<W, Out>): void;
  /** The command to send a message. Absent: the message is sent as it is. */
  order?(step: LinkStep<W, Out>, message: Out): void;
  /** The command to stop in an orderly way. The link is closed after it. */
  stopping?(step: LinkStep<W, Out>): void;
}

/** A reference role. The commands `send` and `raw` are for the newest link, `end` and `shutdown` for all links. */
export type LinkRole<W, In, Out> = Role<LinksState<W, Out>, In, Out, PeerCommand<Out>>;

/** The most commands that wait for a link; more are dropped. */
const maxWaiting = 4096;

/** Makes a role of a policy. */
export function linkRole<W, In, Out>(policy: LinkPolicy<W, In, Out>): LinkRole<W, In, Out> {
  return {
    name: policy.name,
    start: () => ({ open: new Map(), waiting: [], idCount: 0 }),
    step(state, input, now) {
      if (input.type === 'opened') addLink(policy, state, input.peer);
      const outputs = peersOf(state, input).flatMap((peer) => {
        const link = state.open.get(peer);
        if (link === undefined) return [];
        const step = new LinkStep(peer, now, link, state);
        react(policy, step, input);
        if (input.type === 'opened')
          for (const command of state.waiting.splice(0)) obey(policy, step, command);
        if (step.closed) state.open.delete(peer);
        return step.outputs;
      });
      return { state, outputs };
    },
  };
}

function addLink<W, In, Out>(policy: LinkPolicy<W, In, Out>, state: LinksState<W, Out>, peer: string): void {
  const previous = state.open.get(peer);
  const link: LinkState<W> = {
    work: policy.begin(),
    full: false,
    halfClosed: false,
    timers: new Set(previous?.timers),
  };
  // Deleted first, so that the newest link is the last.
  state.open.delete(peer);
  state.open.set(peer, link);
}

/** The links of an input. The id of a timer is `<name>:<link>`. A command without a link waits for one. */
function peersOf<W, In, Out>(
  { open, waiting }: LinksState<W, Out>,
  input: RoleInput<In, PeerCommand<Out>>,
): readonly string[] {
  if (input.type === 'timer') return [input.id.slice(input.id.indexOf(':') + 1)];
  if (input.type !== 'command') return 'peer' in input ? [input.peer] : [];
  const { command } = input;
  const peers = [...open.keys()];
  if (command.do === 'end' || command.do === 'shutdown') return peers;
  if (peers.length === 0 && waiting.length < maxWaiting) waiting.push(command);
  return peers.slice(-1);
}

function react<W, In, Out>(
  policy: LinkPolicy<W, In, Out>,
  step: LinkStep<W, Out>,
  input: RoleInput<In, PeerCommand<Out>>,
): void {
  const { link } = step;
  switch (input.type) {
    case 'opened':
      // An earlier link of the same name may have left timers.
      step.stopTimers(link.timers);
      return policy.opened?.(step);
    case 'message':
      return policy.message(step, input.message);
    case 'undecodable':
      step.tell('dropped', input.reason);
      return policy.dropped?.(step);
    case 'timer': {
      const name = input.id.slice(0, input.id.indexOf(':'));
      // The host may fire a timer that was stopped at the same moment.
      return link.timers.delete(name) ? policy.timer?.(step, name) : undefined;
    }
    case 'half_close':
      link.halfClosed = true;
      return policy.halfClosed(step);
    case 'full':
    case 'drained':
      link.full = input.type === 'full';
      return policy.loadChanged(step);
    case 'left':
      policy.left?.(step);
      return step.end();
    case 'command':
      return obey(policy, step, input.command);
    case 'started':
    case 'headers':
    case 'effect':
      return;
  }
}

function obey<W, In, Out>(
  policy: LinkPolicy<W, In, Out>,
  step: LinkStep<W, Out>,
  command: PeerCommand<Out>,
): void {
  switch (command.do) {
    case 'send':
      return policy.order === undefined ? step.send(command.message) : policy.order(step, command.message);
    case 'raw':
      return step.sendRaw(command.bytes);
    case 'end':
      return step.close(command.status.code, command.status.message);
    case 'shutdown':
      policy.stopping?.(step);
      return step.close(0, 'stopped');
    default:
      return command satisfies never;
  }
}
