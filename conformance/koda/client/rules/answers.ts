/** KODA-55 to 59 and 61: a client's answers to the requests of the engine. */
import { exercised, overdue, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedAnswer } from '../../shared/awaited.ts';
import { answerTypes, answeredBy } from '../../shared/session.ts';
import type { Session } from '../../shared/session.ts';
import { sessionRule } from '../../shared/rules/session-rule.ts';
import type { Pause } from '../../shared/turn.ts';
import { clientCommand } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';

/** A rule about the answers to some requests. */
const answers = (
  requirement: string,
  kind: Pause['kind'],
  concerns: (pause: Pause, session: Session) => boolean,
) =>
  sessionRule({
    requirement,
    listens: [`command.${answerTypes[kind]}`, 'closing'],
    step(event, session, view): Findings {
      const { turn } = session;
      if (turn === undefined) return undefined;
      if (event.kind === 'message') {
        const pause = answeredBy(turn, clientCommand(event));
        if (pause?.kind !== kind || !concerns(pause, session)) return undefined;
        // An answer without its line feed comes when the stream ends.
        const owed = awaitedAnswer(view, session, pause);
        const [late] = owed === undefined ? [] : overdue([owed], event);
        return late ?? exercised(event);
      }
      const [open] = openPauses(view, session, kind, concerns);
      return open && violated(event, `expected ${open.expected}; the client ended the stream`, [open.seq]);
    },
    pending: (session, view) => openPauses(view, session, kind, concerns),
  });

/** The requests without an answer. */
const openPauses = (
  view: KodaView,
  session: Session,
  kind: Pause['kind'],
  concerns: (pause: Pause, session: Session) => boolean,
): readonly PendingEvent[] =>
  (session.turn?.pauses ?? [])
    .filter((pause) => pause.kind === kind && concerns(pause, session) && session.bad?.survived !== false)
    .map((pause) => awaitedAnswer(view, session, pause))
    .filter((one) => one !== undefined);

/** Whether no event was lost before a request, so that only the request itself is judged. */
const isWhole = (_: Pause, { lossy }: Session): boolean => !lossy;
const isLossy = (_: Pause, { lossy }: Session): boolean => lossy;

const survivesLoss = (['approval', 'ask', 'cap'] as const).map((kind) => answers('KODA-61', kind, isLossy));

const staysAfterLoss = sessionRule({
  requirement: 'KODA-61',
  listens: ['closing'],
  step(event, { turn, lossy, quit }): Findings {
    if (turn === undefined || !lossy || quit !== undefined) return undefined;
    return violated(event, 'expected the client to go on after events were lost; it ended the stream', [
      turn.last.seq,
    ]);
  },
});

/** A client may take this many times the delay of a message to answer, and not yet see the end of the turn. */
const answerCrossings = 4;

const answersOnce = sessionRule({
  requirement: 'KODA-58',
  listens: Object.values(answerTypes).map((type) => `command.${type}`),
  step(event, { turn, before, prompts }, { timeouts }): Findings {
    const command = clientCommand(event);
    if (turn !== undefined && answeredBy(turn, command) !== undefined) return exercised(event);
    const crossed =
      before !== undefined &&
      // A client that has sent its next prompt has seen the end of the turn.
      !prompts.some(({ seq }) => seq > before.seq) &&
      event.at - before.at < answerCrossings * timeouts.crossing &&
      answeredBy(before.turn, command) !== undefined;
    if (crossed) return undefined;
    const also = turn === undefined ? (before === undefined ? [] : [before.seq]) : [turn.seq];
    const when = turn === undefined ? 'no turn runs' : 'no open request has this answer';
    return violated(
      event,
      `expected one answer to each request, within its turn; ${command.type} came while ${when}`,
      also,
    );
  },
});

const isFreeForm = ({ freeForm }: Pause): boolean => freeForm;

export const answerRules: readonly Rule<KodaView>[] = [
  answers('KODA-55', 'approval', isWhole),
  answers('KODA-56', 'ask', isWhole),
  answers('KODA-59', 'ask', (pause, session) => isFreeForm(pause) && isWhole(pause, session)),
  answers('KODA-57', 'cap', isWhole),
  ...survivesLoss,
  staysAfterLoss,
  answersOnce,
];
