/** KODA-76 and 77: prompts that come while a turn runs. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedTurn } from '../../shared/awaited.ts';
import { sessionRule } from '../../shared/rules/session-rule.ts';
import type { Session } from '../../shared/session.ts';
import { textKept } from '../../shared/turn.ts';
import type { Prompt } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { mayBeStopped } from './pauses.ts';

/** The queued prompt that waits for its turn: KODA-76 judges it, and KODA-77 after an interrupt. */
const waiting = (view: KodaView, session: Session, interrupted: boolean): readonly PendingEvent[] => {
  const [prompt] = session.prompts;
  // An unreadable message may have been dropped with others: KODA-65 judges that.
  if (prompt === undefined || session.bad?.survived === false) return [];
  // KODA-54: an engine may ignore prompts, and one that has begun no turn does.
  if (session.turns === 0 || isAfter(prompt) !== interrupted) return [];
  return [awaitedTurn(view, session)].filter((one) => one !== undefined);
};

const isAfter = ({ interrupted }: Prompt): boolean => interrupted !== undefined;

const runsInOrder = sessionRule({
  requirement: 'KODA-76',
  listens: ['event.turn_end'],
  step(event, { turn, prompts }): Findings {
    if (turn?.prompt?.queued !== true) return undefined;
    const own = saidIn(turn.prompt);
    if (!tells(own) || turn.interrupted !== undefined) return undefined;
    if (turn.text.includes(own)) return exercised(event);
    const cut = mayBeStopped(turn) || own.startsWith(turn.text);
    const other = cut
      ? undefined
      : prompts.find((prompt) => tells(saidIn(prompt)) && turn.text === saidIn(prompt));
    return other === undefined
      ? undefined
      : violated(event, 'expected the prompts to be run in their order; a later one was run first', [
          turn.prompt.seq,
          other.seq,
        ]);
  },
  pending: (session, view) => waiting(view, session, false),
});

/** Whether a text is of a length that tells its prompt apart. */
const tells = (text: string): boolean => text.trim().length > 2 && text.length < textKept;

/** The text that a directive orders. */
const saidIn = ({ steps = [] }: Prompt): string =>
  steps.flatMap((step) => ('say' in step ? step.say : [])).join('');

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

/** The rules of this theme. */
export const queueRules: readonly Rule<KodaView>[] = [runsInOrder, keepsQueue];
