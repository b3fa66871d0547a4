/** The messages that a target owes at the moment, with their time limits. */
import type { PendingEvent } from '../../../src/kit/judge/index.ts';
import type { Pause, Prompt, Turn } from './turn.ts';
import type { Session } from './session.ts';
import type { KodaView } from './view.ts';

/** The oldest prompt that the engine must run. */
export const owedPrompt = ({ prompts }: Session): Prompt | undefined =>
  prompts.find(({ optional }) => !optional);

/** A prompt without its turn, while no turn runs; undefined where no prompt waits. */
export function awaitedTurn({ timeouts }: KodaView, session: Session): PendingEvent | undefined {
  const prompt = owedPrompt(session);
  if (prompt === undefined || session.turn !== undefined || session.quit !== undefined) return undefined;
  const since = session.before === undefined || session.before.at < prompt.at ? prompt : session.before;
  return {
    seq: prompt.seq,
    at: since.at,
    within: timeouts.prompt,
    expected: 'the turn_start of this prompt',
  };
}

/** Whether a directive orders its turn to wait: until it is interrupted, or for a time that it names. */
function waitOf({ prompt }: Turn): number {
  let ms = 0;
  for (const step of prompt?.steps ?? []) {
    if ('cancel_point' in step) return Infinity;
    if ('tool' in step && step.tool.hold === true) return Infinity;
    if ('wait_ms' in step) ms += step.wait_ms;
  }
  return ms;
}

/**
 * Whether silence in a turn shows that it hangs: an engine that obeys directives has no model to wait for, and after a
 * footer nothing is left to do. A model may think, and a tool may run, as long as it likes.
 */
const worksAtOnce = ({ prompt, footer }: Turn): boolean =>
  prompt?.steps !== undefined || footer !== undefined;

/** The next event of a turn; undefined for a turn that waits for its client, its model or its tools. */
function awaitedEvent(view: KodaView, { turn, quit }: Session): PendingEvent | undefined {
  const { timeouts } = view;
  if (turn === undefined || quit !== undefined) return undefined;
  const { last, interrupted, pauses } = turn;
  if (interrupted?.certain === true)
    return {
      seq: interrupted.seq,
      at: interrupted.at,
      within: timeouts.interrupt,
      expected: 'the turn_end of this interrupted turn',
    };
  if (pauses.length > 0 || !worksAtOnce(turn)) return undefined;
  const within = timeouts.turn + waitOf(turn);
  return { ...last, within, expected: 'the next event of the turn, up to its turn_end' };
}

/** The next event of a turn, as a list. */
export const awaitedEvents = (view: KodaView, session: Session): readonly PendingEvent[] =>
  [awaitedEvent(view, session)].filter((one) => one !== undefined);

/** The answer of a client to a request; undefined where none is owed any more. */
export function awaitedAnswer(
  { timeouts }: KodaView,
  session: Session,
  pause: Pause,
): PendingEvent | undefined {
  const { turn, quit } = session;
  if (turn?.interrupted !== undefined || quit !== undefined) return undefined;
  // A client that has stopped its turn at a cap need not wait for more of it.
  if (turn?.caps.some(({ answer }) => answer?.said === 'stop') === true) return undefined;
  return { seq: pause.seq, at: pause.at, within: timeouts.answer, expected: expectedAnswers[pause.kind] };
}

const expectedAnswers = {
  approval: 'an approval_response with the id of this request',
  ask: 'an ask_user_response with the id of this question',
  cap: 'a loop_decision',
} as const;

/**
 * What a target owes for a message whose text has a {@link lineSeparators}, on a carrier of lines, when it has obeyed another
 * message of that kind before: a target that ends its lines there loses the message (KODA-79).
 */
export function awaitedOfSeparated(view: KodaView, session: Session): readonly PendingEvent[] {
  if (session.carrier !== 'stdio') return [];
  return owedOfSeparated(view, session).map((awaited) => ({
    ...awaited,
    expected: `${awaited.expected}: U+0085, U+2028 and U+2029 in it end no line`,
  }));
}

function owedOfSeparated(view: KodaView, session: Session): readonly PendingEvent[] {
  if (view.target === 'client') {
    const { pauses = [], answered } = session.turn ?? {};
    const separated = answered === undefined ? [] : pauses.filter((pause) => pause.separated);
    return separated.flatMap((pause) => awaitedAnswer(view, session, pause) ?? []);
  }
  if (session.turns === 0 || owedPrompt(session)?.separated !== true) return [];
  return [awaitedTurn(view, session)].filter((one) => one !== undefined);
}

/** All that a target owes in a session. */
export function awaitedBy(view: KodaView, session: Session): readonly PendingEvent[] {
  const awaited =
    view.target === 'engine'
      ? [awaitedTurn(view, session), awaitedEvent(view, session)]
      : (session.turn?.pauses ?? []).map((pause) => awaitedAnswer(view, session, pause));
  return awaited.filter((one) => one !== undefined);
}
