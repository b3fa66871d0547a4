/** KODA-76 and 77: prompts that come while a turn runs. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedTurn, owedPrompt } from '../../shared/awaited.ts';
import { sessionRule } from '../../shared/rules/session-rule.ts';
import type { Session } from '../../shared/session.ts';
import { textKept } from '../../shared/turn.ts';
import type { Prompt } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { mayBeStopped } from './pauses.ts';

/** The queued prompt that waits for its turn: KODA-76 judges it, and KODA-77 after an interrupt. */
const waiting = (view: KodaView, session: Session, interrupted: boolean): readonly PendingEvent[] => {
  const prompt = owedPrompt(session);
  // An unreadable message may have been dropped with others: KODA-65 judges that.
  if (prompt === undefined || session.bad?.survived === false) return [];
  // KODA-54: an engine may ignore prompts, and one that has run none that waited does.
  if (session.turns === 0 || (prompt.queued && !view.queues) || isAfter(prompt) !== interrupted) return [];
  return [awaitedTurn(view, session)].filter((one) => one !== undefined);
};

const isAfter = ({ interrupted }: Prompt): boolean => interrupted !== undefined;

const runsInOrder = sessionRule({
  requirement: 'KODA-76',
  listens: ['event.turn_end'],
  step(event, session): Findings {
    const { turn } = session;
    if (turn === undefined || turn.interrupted !== undefined || mayBeStopped(turn)) return undefined;
    const { prompt } = turn;
    const own = prompt === undefined ? '' : saidIn(prompt);
    if (tells(own) && turn.text.includes(own)) return prompt?.queued === true ? exercised(event) : undefined;
    // A text that was cut short, or that no directive orders, tells no prompt.
    if (prompt !== undefined && (!tells(own) || own.startsWith(turn.text))) return undefined;
    // KODA-65 judges prompts that were dropped with an unreadable message.
    const other = session.bad === undefined ? toldBy(session, turn.text) : undefined;
    if (other === undefined) return undefined;
    return violated(
      event,
      'expected the prompts to be run in their order, one turn each; the turn of another one came',
      prompt === undefined ? [other.seq] : [prompt.seq, other.seq],
    );
  },
  pending: (session, view) => waiting(view, session, false),
});

/** The queued prompt that certainly has this text. An injected prompt with the same text may have begun the turn. */
function toldBy({ ran, prompts }: Session, text: string): Prompt | undefined {
  const same = tells(text) ? [...ran, ...prompts].filter((prompt) => saidIn(prompt) === text) : [];
  return same.every(({ queued, optional }) => queued && !optional) ? same[0] : undefined;
}

/** Whether a text is of a length that tells its prompt apart. */
const tells = (text: string): boolean => text.trim().length > 2 && text.length < textKept;

/** The text that a directive orders, of an engine that obeys directives. */
const saidIn = ({ steps, ordered }: Prompt): string => (steps === undefined ? '' : ordered);

const keepsQueue = sessionRule({
  requirement: 'KODA-77',
  listens: ['event.turn_end'],
  step(event, { turn }): Findings {
    const message = engineEvent(event);
    const prompt = turn?.prompt;
    if (message.type !== 'turn_end' || prompt?.interrupted === undefined) return undefined;
    if (turn?.interrupted !== undefined) return undefined;
    const isIdle = turn?.text === '' && turn.calls.size === 0;
    return message.reason.kind === 'cancelled' && isIdle
      ? violated(
          event,
          'expected the prompt that waited to be run; its turn was cancelled by the earlier interrupt',
          [prompt.interrupted.seq],
        )
      : exercised(event);
  },
  pending: (session, view) => waiting(view, session, true),
});

export const queueRules: readonly Rule<KodaView>[] = [runsInOrder, keepsQueue];
