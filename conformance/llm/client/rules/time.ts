/** The rules about time: stalls and aborts. */
import { exercised, overdue, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, PendingEvent, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Exchange } from '../exchange.ts';
import { answeredTurn, speaks } from '../view.ts';
import type { TurnRequest, ClientView } from '../view.ts';

/** The exchange of a turn that stalled, if no request followed it. */
function stalledExchange({ exchanges }: TurnRequest): Exchange | undefined {
  const last = exchanges.at(-1);
  return last?.answered?.outcome === 'stall' ? last : undefined;
}

/** The deadline for the end of a stalled exchange. Undefined when no exchange stalled, or when there is no timeout. */
function stallDeadline(ask: TurnRequest, within: number | undefined): PendingEvent | undefined {
  const exchange = stalledExchange(ask);
  if (exchange === undefined || within === undefined) return undefined;
  const { seq, lastAt: at } = exchange;
  return { seq, at, within, expected: `an end within ${within} ms of the stall` };
}

/** The turn without an answer so far, in a dialect that the target speaks. */
function pendingTurn(view: ClientView): TurnRequest | undefined {
  const { ask } = view;
  return ask === undefined || ask.answered !== undefined || !speaks(view, ask.dialect) ? undefined : ask;
}

/** The caller's timeout plus slack for clocks and threads (ms). */
function callerTimeout({ line }: TurnRequest, { timeouts }: ClientView): number | undefined {
  const ms = line['timeout_ms'];
  return typeof ms === 'number' ? ms + (timeouts['slack'] ?? 0) : undefined;
}

const timeRule = (
  requirement: string,
  most: (ask: TurnRequest, view: ClientView) => number | undefined,
): Rule<ClientView> =>
  rule({
    requirement,
    listens: ['answer'],
    start: () => null,
    step(_, event, view: ClientView) {
      const ask = answeredTurn(view, event);
      const wait = ask && stallDeadline(ask, most(ask, view));
      if (wait === undefined) return undefined;
      const { at, seq, within } = wait;
      const ms = event.at - at;
      const message = `expected an end within ${within} ms of the stall; the answer came after ${Math.round(ms)} ms`;
      return ms <= within ? exercised(event) : violated(event, message, [seq]);
    },
    end(_, view: ClientView, last) {
      const ask = pendingTurn(view);
      const wait = ask && stallDeadline(ask, most(ask, view));
      // A program has no answer. It ended its wait when it left the stalled exchange.
      const left = ask?.program === true && stalledExchange(ask)?.letGo !== undefined;
      return wait === undefined || left ? undefined : overdue([wait], last);
    },
  });

/** LLM-C15 of a program: it leaves the stalled exchange, asks again, or ends. */
const programStallRule: Rule<ClientView> = rule({
  requirement: 'LLM-C15',
  listens: ['told.request', 'end', 'reset', 'process'],
  start: () => new Set<string>(),
  step(judged, event, view: ClientView) {
    const { ask, timeouts } = view;
    const stalled = ask?.program === true ? stalledExchange(ask) : undefined;
    const within = timeouts['hang'];
    if (stalled === undefined || within === undefined || judged.has(stalled.key)) return undefined;
    const leaves = event.kind === 'end' || event.kind === 'reset';
    if (leaves && (event.from !== 'target' || event.stream !== stalled.stream)) return undefined;
    if (judged.size < stallsKept) judged.add(stalled.key);
    const ms = Math.round(event.at - stalled.lastAt);
    const message = `expected an end within ${within} ms of the stall; the program went on after ${ms} ms`;
    return ms <= within ? exercised(event) : violated(event, message, [stalled.seq]);
  },
});

/** The most stalled exchanges that are remembered. */
const stallsKept = 64;

/** LLM-C10: judged at the end of the trace, because no request must follow. */
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
    return judgeClosed(first, second, view.timeouts['abort'] ?? 0, last);
  },
});

function judgeClosed(
  first: Exchange,
  second: Exchange | undefined,
  most: number,
  last: TraceEvent,
): Findings {
  const { letGo, lastAt } = first;
  if (letGo === undefined)
    return violated(last, 'expected the aborted exchange to be closed; it stayed open to the end', [
      first.seq,
    ]);
  const ms = Math.round(letGo.at - lastAt);
  if (ms > most)
    return violated(letGo, `expected the aborted exchange to be closed within ${most} ms; it took ${ms} ms`, [
      first.seq,
    ]);
  if (second !== undefined)
    return violated(second, 'expected no further request in an aborted turn; one came', [first.seq]);
  return exercised(last);
}

/**
 * A client that does not answer after its response is over. Without a terminal, it missed an error (LLM-C06), else it
 * hangs (LLM-C15). Judged when the timeout of a step is over.
 */
const silentRule = (requirement: string, missing: boolean): Rule<ClientView> =>
  rule({
    requirement,
    listens: [],
    start: () => null,
    step: () => undefined,
    end(_, view: ClientView, last) {
      const ask = pendingTurn(view);
      const exchange = ask?.exchanges.at(-1);
      const outcome = exchange?.answered?.outcome;
      if (ask === undefined || ask.program || exchange === undefined) return undefined;
      if (outcome !== 'complete' && outcome !== 'reset') return undefined;
      if ((exchange.answered?.signal === 'missing') !== missing) return undefined;
      const step = view.timeouts['step'] ?? Infinity;
      // The timeout of a step starts with the turn, so it includes the response.
      if (last.at - ask.at < step) return undefined;
      const what = missing ? 'an error, because the stream ended without its terminal' : 'an answer';
      const { seq, lastAt: at } = exchange;
      return overdue([{ seq, at, within: step / 2, expected: `${what}, after the response was over` }], last);
    },
  });

export const timeRules: readonly Rule<ClientView>[] = [
  abortRule,
  programStallRule,
  silentRule('LLM-C06', true),
  silentRule('LLM-C15', false),
  timeRule('LLM-C15', (_, { timeouts }) => timeouts['hang']),
  timeRule('LLM-C23', callerTimeout),
];
