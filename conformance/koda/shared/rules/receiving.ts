/** KODA-65: a message that the target cannot read is dropped alone. */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedBy } from '../awaited.ts';
import { isClear } from './session-rule.ts';
import type { KodaView } from '../view.ts';

export const dropsAlone: Rule<KodaView> = rule({
  requirement: 'KODA-65',
  listens: ['sent', 'closing'],
  start: () => null,
  step(_, event, view: KodaView) {
    const { session } = view;
    const bad = session?.bad;
    if (session === undefined || bad === undefined || bad.survived || !isClear(session)) return undefined;
    if (event.kind === 'message') {
      const [late] = overdue(awaitedBy(view, session), event);
      return late === undefined ? exercised(event) : { ...late, also: [bad.seq, ...(late.also ?? [])] };
    }
    if (session.quit !== undefined || session.halfClosed) return undefined;
    return violated(
      event,
      'expected the target to drop the message that it cannot read, and to go on; it ended the stream',
      [bad.seq],
    );
  },
  *pending(_, view) {
    for (const session of view.streams.values()) {
      const { bad } = session;
      if (bad === undefined || bad.survived || !isClear(session) || session.ended !== undefined) continue;
      for (const awaited of awaitedBy(view, session)) yield { ...awaited, also: [bad.seq] };
    }
  },
});
