/** Makes rules about one session. They judge no event of a session whose messages of the target could not all be read. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { rule } from '../../../../src/kit/judge/index.ts';
import type { Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import type { Session } from '../session.ts';
import type { Turn } from '../turn.ts';
import type { KodaView } from '../view.ts';

/** A rule about sessions. */
export interface SessionRule {
  readonly requirement: string;
  /** The topics of its events; see `topicOf`. */
  readonly listens: readonly string[];
  /** The findings at an event of a session; the session is as it was before the event. */
  step(event: TraceEvent, session: Session, view: KodaView): Findings;
  /** The events that a session still awaits. */
  pending?(session: Session, view: KodaView): Iterable<PendingEvent>;
}

/** Whether the events of a session can be judged. */
export const isClear = ({ lost, disturbed }: Session): boolean => lost === undefined && !disturbed;

/** Makes the rule. */
export const sessionRule = ({ requirement, listens, step, pending }: SessionRule): Rule<KodaView> =>
  rule({
    requirement,
    listens,
    start: () => null,
    step(_, event, view: KodaView): Findings {
      const { session } = view;
      return session !== undefined && isClear(session) ? step(event, session, view) : undefined;
    },
    *pending(_, view) {
      if (pending === undefined) return;
      for (const session of openSessions(view)) yield* pending(session, view);
    },
  });

/** A rule about the running turn. */
export interface TurnRule {
  readonly requirement: string;
  readonly listens: readonly string[];
  /** The findings at an event; the turn is as it was before the event. */
  step(event: TraceEvent, turn: Turn, session: Session, view: KodaView): Findings;
  /** See {@link SessionRule.pending}. */
  pending?(turn: Turn, session: Session, view: KodaView): Iterable<PendingEvent>;
}

/** Makes a rule that judges nothing outside of a turn. */
export const turnRule = ({ requirement, listens, step, pending }: TurnRule): Rule<KodaView> =>
  sessionRule({
    requirement,
    listens,
    step: (event, session, view) =>
      session.turn === undefined ? undefined : step(event, session.turn, session, view),
    ...(pending === undefined
      ? {}
      : {
          pending: (session: Session, view: KodaView) =>
            session.turn === undefined ? [] : pending(session.turn, session, view),
        }),
  });

/** The sessions that go on, and that nothing made unclear: their targets owe what is awaited. */
export const openSessions = (view: KodaView): readonly Session[] =>
  [...view.streams.values()].filter((session) => isClear(session) && session.ended === undefined);
