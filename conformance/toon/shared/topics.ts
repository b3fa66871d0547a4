/** The topics of events, by which rules listen. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { messageOf } from './view-peer.ts';
import { fromTarget, look, startView, stepView } from './view.ts';
import type { ToonView } from './view.ts';

const closing: ReadonlySet<string> = new Set(['end', 'reset', 'half_close']);

/**
 * The one topic of an event: `target.` or `peer.` with a message's type or `undecodable`; `closing` when the target
 * ends a stream; otherwise the event's kind.
 */
export function topicOf(event: TraceEvent): string {
  const mine = fromTarget(event);
  const { kind } = event;
  if (kind === 'message') return `${mine ? 'target' : 'peer'}.${messageOf(event).type}`;
  if (kind === 'undecodable') return mine ? 'target.undecodable' : 'peer.undecodable';
  return mine && closing.has(kind) ? 'closing' : kind;
}

/** The extra topic of rare messages of the target: `shows` for a message that decides a trial. */
export function extraTopicsOf(event: TraceEvent, view: ToonView): string {
  if (event.kind !== 'message' || !fromTarget(event)) return '';
  const { meaning } = view;
  if (meaning === undefined) return '';
  const { ask, takenUpTo: proof, refuses, actsOnBadFrame: acts, complains, stream } = meaning;
  const onTrial = stream.bad.length > 0 || (ask !== undefined && ask.trials.size + ask.late.size > 0);
  const decided = refuses ?? acts ?? complains ?? proof;
  return onTrial && decided !== undefined ? 'shows' : '';
}

/** The topics and the view of a live suite, for a judge. */
export const toonJudging = (target: Side): Omit<Judging<ToonView>, 'rules'> => ({
  topicOf,
  extraTopicsOf,
  view: { start: () => startView(target), look, step: stepView },
});
