/** The rows about clients that wait or let go: stalls, and aborts. */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Exchange } from '../exchange.ts';
import { asked, speaks } from '../view.ts';
import type { Ask, ClientView } from '../view.ts';

/** The exchange of a turn that stalled, and that the client has not gone on from; undefined: none did. */
function stalled({ exchanges }: Ask): Exchange | undefined {
  const last = exchanges.at(-1);
  return last?.answered?.outcome === 'stall' ? last : undefined;
}

/** The wait for an end of a stalled exchange; undefined where nothing stalled, or nothing says how long it may take. */
function stallOf(ask: Ask, within: number | undefined): PendingEvent | undefined {
  const exchange = stalled(ask);
  if (exchange === undefined || within === undefined) return undefined;
  const { seq, lastAt: at } = exchange;
  return { seq, at, within, expected: `an end within ${within} ms of the stall` };
}

/** The turn that waits for its answer, in a dialect that the target speaks. */
function unanswered(view: ClientView): Ask | undefined {
  const { ask } = view;
  return ask === undefined || ask.answered !== undefined || !speaks(view, ask.dialect) ? undefined : ask;
}

/** The time that the caller set, and some more for clocks and threads. */
function setTime({ line }: Ask, { timeouts }: ClientView): number | undefined {
  const ms = line['timeout_ms'];
  return typeof ms === 'number' ? ms + (timeouts['slack'] ?? 0) : undefined;
}

const timeRule = (
  requirement: string,
  most: (ask: Ask, view: ClientView) => number | undefined,
): Rule<ClientView> =>
  rule({
    requirement,
    listens: ['answer'],
    start: () => null,
    step(_, event, view: ClientView) {
      const ask = asked(view, event);
      const wait = ask && stallOf(ask, most(ask, view));
      if (wait === undefined) return undefined;
      const { at, seq, within } = wait;
      const ms = event.at - at;
      const message = `expected an end within ${within} ms of the stall; the answer came after ${Math.round(ms)} ms`;
      return ms <= within ? exercised(event) : violated(event, message, [seq]);
    },
    end(_, view: ClientView, last) {
      const ask = unanswered(view);
      const wait = ask && stallOf(ask, most(ask, view));
      return wait && overdue([wait], last);
    },
  });

/** LLM-C10: judged when all is over, as no request must follow. */
const abortRule: Rule<ClientView> = rule({
  requirement: 'LLM-C10',
  listens: [],
  start: () => null,
  step: () => undefined,
  end(_, view: ClientView, last) {
    const { ask } = view;
    const after = ask?.line['abort_after_events'];
    const [first, second] = ask?.exchanges ?? [];
    if (ask === undefined || first === undefined || typeof after !== 'number') return undefined;
    if (!speaks(view, ask.dialect) || first.messages <= after) return undefined;
    return released(first, second, view.timeouts['abort'] ?? 0, last);
  },
});

function released(first: Exchange, second: Exchange | undefined, most: number, last: TraceEvent): Findings {
  const { letGo, lastAt } = first;
  if (letGo === undefined)
    return violated(last, 'expected the aborted exchange to be let go of; it was not, to the end', [
      first.seq,
    ]);
  const ms = Math.round(letGo.at - lastAt);
  if (ms > most)
    return violated(
      letGo,
      `expected the aborted exchange to be let go of within ${most} ms; that took ${ms} ms`,
      [first.seq],
    );
  if (second !== undefined)
    return violated(second, 'expected no further request of a turn that was aborted; one came', [first.seq]);
  return exercised(last);
}

/**
 * A response that is over, and of which nothing comes: where it had no terminal, that is no error (LLM-C06), else the
 * client hangs (LLM-C15). Judged when a step's time has passed and nobody waits any more.
 */
const silentRule = (requirement: string, missing: boolean): Rule<ClientView> =>
  rule({
    requirement,
    listens: [],
    start: () => null,
    step: () => undefined,
    end(_, view: ClientView, last) {
      const ask = unanswered(view);
      const exchange = ask?.exchanges.at(-1);
      const outcome = exchange?.answered?.outcome;
      if (ask === undefined || ask.program || exchange === undefined) return undefined;
      if (outcome !== 'complete' && outcome !== 'reset') return undefined;
      if ((exchange.answered?.signal === 'missing') !== missing) return undefined;
      const step = view.timeouts['step'] ?? Infinity;
      // A step is waited for from when the turn was asked; the response takes some of it.
      if (last.at - ask.at < step) return undefined;
      const what = missing ? 'an error, for the stream ended without its terminal' : 'an answer';
      const { seq, lastAt: at } = exchange;
      return overdue([{ seq, at, within: step / 2, expected: `${what}, after the response was over` }], last);
    },
  });

/** Each row's rule. */
export const timeRules: readonly Rule<ClientView>[] = [
  abortRule,
  silentRule('LLM-C06', true),
  silentRule('LLM-C15', false),
  timeRule('LLM-C15', (_, { timeouts }) => timeouts['hang']),
  timeRule('LLM-C23', setTime),
];
