/** KODA-44 to 46 and 74: the cap of iterations. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedEvents } from '../../shared/awaited.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { orders } from './orders.ts';
import { goesPast, isProgress, progressTopics, stopsAtCap, workTopics } from './pauses.ts';

const capPauses = turnRule({
  requirement: 'KODA-44',
  listens: workTopics,
  step(event, turn): Findings {
    const message = engineEvent(event);
    const open = turn.pauses.find(({ kind }) => kind === 'cap');
    if (open !== undefined)
      return goesPast(open, message, turn)
        ? violated(event, `expected nothing of the model before the loop_decision; ${message.type} came`, [
            open.seq,
          ])
        : undefined;
    return turn.resuming?.kind === 'cap' && isProgress(message, turn) ? exercised(event) : undefined;
  },
});

/** The numbers that the decisions add to a cap. */
const added: { readonly [decision: string]: number } = { continue50: 50, continue200: 200 };

const capGrows = turnRule({
  requirement: 'KODA-74',
  listens: ['event.loop_cap_reached'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    if (message.type !== 'loop_cap_reached') return undefined;
    const before = turn.caps.at(-1);
    const [step] = orders(turn, 'loop_cap');
    const more = added[before?.answer?.said ?? ''];
    const expected =
      before === undefined ? step?.loop_cap.cap : more === undefined ? undefined : before.cap + more;
    if (expected === undefined) return undefined;
    const also = before === undefined ? [] : [before.seq];
    if (message.cap !== expected)
      return violated(
        event,
        `expected the cap ${expected}, by the decisions so far; came ${message.cap}`,
        also,
      );
    return before === undefined ? undefined : exercised(event);
  },
});

const stopEnds = turnRule({
  requirement: 'KODA-45',
  listens: progressTopics,
  step(event, turn): Findings {
    if (!stopsAtCap(turn) || turn.interrupted !== undefined) return undefined;
    const message = engineEvent(event);
    const also = [turn.caps.at(-1)?.answer?.seq ?? turn.seq];
    if (message.type !== 'turn_end')
      return violated(event, `expected turn_end complete after stop; ${message.type} came`, also);
    const { kind } = message.reason;
    if (turn.footer !== undefined) return undefined;
    return kind === 'complete'
      ? exercised(event)
      : violated(event, `expected turn_end complete after stop; came ${kind}`, also);
  },
  pending(turn, session, view) {
    if (!stopsAtCap(turn) || turn.interrupted !== undefined) return [];
    return awaitedEvents(view, session);
  },
});

/** The most names of a cap. */
const mostNames = 5;

const namesRecentTools = turnRule({
  requirement: 'KODA-46',
  listens: ['event.loop_cap_reached'],
  step(event, turn, { names: earlier }): Findings {
    const message = engineEvent(event);
    if (message.type !== 'loop_cap_reached') return undefined;
    const { recent_tools: came } = message;
    const all = turn.names;
    // It is unknown which of these calls were run.
    if ([...turn.calls.values()].some(({ unclear }) => unclear)) return undefined;
    const run = [...turn.calls.values()].flatMap(({ name, stopped }) =>
      stopped === undefined ? [name] : [],
    );
    // No sentence says whether they are the calls of the turn or of the session.
    const lists = [all, run, [...earlier, ...all], [...earlier, ...run]];
    if (lists.some((names) => same(names.slice(-mostNames), came)))
      return all.length === 0 ? undefined : exercised(event);
    return violated(
      event,
      `expected recent_tools ${JSON.stringify(all.slice(-mostNames))}; came ${JSON.stringify(came).slice(0, 160)}`,
    );
  },
});

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

export const capRules: readonly Rule<KodaView>[] = [capPauses, capGrows, stopEnds, namesRecentTools];
