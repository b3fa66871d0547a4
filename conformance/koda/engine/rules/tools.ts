/** KODA-35, 38, 52, 70, 71, 75, 83 and 85: calls, their lines and their results. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { isClear, turnRule } from '../../shared/rules/session-rule.ts';
import type { Call, OutputLine, Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { orderedTools } from './orders.ts';

const resultsMatch = turnRule({
  requirement: 'KODA-35',
  listens: ['event.tool_call_result'],
  step(event, { calls }): Findings {
    const message = engineEvent(event);
    if (message.type !== 'tool_call_result') return undefined;
    const call = calls.get(message.id);
    if (call === undefined || call.name === '')
      return violated(event, `expected the id of a call that was started in the turn; came ${message.id}`);
    if (call.state === 'done')
      return violated(event, `expected one result of call ${call.id}; a second one came`, [call.seq]);
    if (call.name !== message.name)
      return violated(event, `expected the name ${call.name} of call ${call.id}; came ${message.name}`, [
        call.seq,
      ]);
    return exercised(event);
  },
});

const idsDiffer = turnRule({
  requirement: 'KODA-85',
  listens: ['event.tool_call_start'],
  step(event, { calls, names, interrupted }): Findings {
    const message = engineEvent(event);
    // KODA-48 judges a call that starts again after an interrupt.
    if (message.type !== 'tool_call_start' || interrupted !== undefined) return undefined;
    const other = calls.get(message.id);
    // Lines of a parallel batch may precede the start of their call: such a call has no name yet.
    if (other !== undefined && other.name !== '')
      return violated(
        event,
        `expected an id of its own for each call of the turn; ${message.id} came again`,
        [other.seq],
      );
    return names.length > 0 ? exercised(event) : undefined;
  },
});

/** The lines of a call of a parallel batch may precede its start (KODA-37): the end of the turn shows whether it came. */
const linesMatch = turnRule({
  requirement: 'KODA-83',
  listens: ['event.turn_end'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    // A turn that was cut short may end before the starts of its batch.
    if (message.type !== 'turn_end' || message.reason.kind !== 'complete') return undefined;
    const printed = [...turn.calls.values()].filter(({ lines }) => lines.length > 0);
    const stray = printed.find(({ name }) => name === '');
    if (stray === undefined) return printed.length > 0 ? exercised(event) : undefined;
    // The guard against repeated calls warns, and ends the turn before the batch starts.
    if (turn.warned !== undefined && turn.warned.seq > stray.seq) return undefined;
    return violated(
      event,
      `expected the id of a call of the turn in each output line; no call ${stray.id} was started`,
      [stray.seq],
    );
  },
});

const linesPrecedeResult = turnRule({
  requirement: 'KODA-38',
  listens: ['event.tool_output_line', 'event.tool_call_result'],
  step(event, { calls }): Findings {
    const message = engineEvent(event);
    if (message.type === 'tool_call_result') {
      const call = calls.get(message.id);
      return call !== undefined && call.lines.length > 0 ? exercised(event) : undefined;
    }
    const call = message.type === 'tool_output_line' ? calls.get(message.id) : undefined;
    if (call?.state !== 'done') return undefined;
    return violated(event, `expected no output line of call ${call.id} after its result; one came`, [
      call.seq,
    ]);
  },
});

const linesAreSingle = turnRule({
  requirement: 'KODA-70',
  listens: ['event.tool_output_line'],
  step(event): Findings {
    const message = engineEvent(event);
    if (message.type !== 'tool_output_line') return undefined;
    return message.line.includes('\n')
      ? violated(event, 'expected a line without a line break; it holds one')
      : exercised(event);
  },
});

const linesKeepOrder = turnRule({
  requirement: 'KODA-71',
  listens: ['event.tool_call_result'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    const call = message.type === 'tool_call_result' ? turn.calls.get(message.id) : undefined;
    if (call === undefined) return undefined;
    const tools = orderedTools(turn).flatMap(({ name, lines }) =>
      name === call.name && lines !== undefined && sameLines(lines, call) ? [lines] : [],
    );
    if (tools.length === 0) return undefined;
    if (tools.some((lines) => inOrder(lines, call.lines))) return exercised(event);
    return violated(
      event,
      `expected the lines of each stream in their order; the lines of call ${call.id} came in another one`,
      [call.seq],
    );
  },
});

type OrderedLines = readonly (readonly [string, boolean])[];

/** Whether a call printed the ordered lines, in any order, and at least two of them in one stream. */
function sameLines(lines: OrderedLines, call: Call): boolean {
  const keys = (all: OrderedLines): string =>
    JSON.stringify(all.map((line) => JSON.stringify(line)).toSorted());
  const severalInOne = lines.length > new Set(lines.map(([, to]) => to)).size;
  const came = call.lines.map(({ text, isStderr }): readonly [string, boolean] => [text, isStderr]);
  return severalInOne && keys(lines) === keys(came);
}

const inOrder = (lines: OrderedLines, came: readonly OutputLine[]): boolean =>
  [true, false].every((stderr) => {
    const ordered = lines.flatMap(([text, to]) => (to === stderr ? [text] : []));
    const printed = came.flatMap(({ text, isStderr }) => (isStderr === stderr ? [text] : []));
    return ordered.every((text, i) => printed[i] === text);
  });

const followsSubAgent = turnRule({
  requirement: 'KODA-75',
  listens: ['event.tool_call_start'],
  step(event, { subAgents }): Findings {
    const message = engineEvent(event);
    if (message.type !== 'tool_call_start' || !message.is_sub_agent) return undefined;
    return subAgents > 0
      ? exercised(event)
      : violated(event, 'expected a sub_agent_start of this turn before a call of a sub-agent; none came');
  },
});

/** Two events in so short a time may be sent in either order (ms). */
const instant = 50;

/** A status whose number of calls is compared when it is clear whether a call began or ended at about the same time. */
interface Status {
  readonly event: TraceEvent;
  readonly active: number;
  readonly least: number;
  readonly most: number;
}

/** The numbers of calls that may be in flight. */
function inFlight({ calls, interrupted }: Turn): { readonly least: number; readonly most: number } {
  let [least, most] = [0, 0];
  for (const { state, name, settled, unclear, isSubAgent } of calls.values()) {
    if (name === '' || state === 'done') continue;
    // A call that was rejected, blocked or cancelled, or that a sub-agent made, may be over without a result.
    if (state === 'running' && !unclear && interrupted === undefined && !isSubAgent) least++;
    if (!settled) most++;
  }
  return { least, most };
}

/** The number is compared with the calls around the status: it may be sent just before or after the call's own event. */
const countsCalls: Rule<KodaView> = rule({
  requirement: 'KODA-52',
  listens: ['event'],
  start: (): { waiting: readonly Status[] } => ({ waiting: [] }),
  step(state, event, { session, late }: KodaView): Findings {
    if (session === undefined || !isClear(session)) return undefined;
    const { turn } = session;
    const message = engineEvent(event);
    const isSoon = (status: Status): boolean => event.at - status.event.at < instant + late;
    const isCall = message.type === 'tool_call_start' || message.type === 'tool_call_result';
    const found = state.waiting.flatMap((status) => {
      if (!isSoon(status)) return compare(status, 0);
      return isCall ? compare(status, 1) : [];
    });
    const waiting = isCall ? [] : state.waiting.filter(isSoon);
    state.waiting = waiting;
    if (message.type === 'status_update' && turn !== undefined && waiting.length < statusesKept) {
      const { least, most } = inFlight(turn);
      const afterCall = turn.calledLast && event.at - turn.last.at < instant + late;
      const status = {
        event,
        active: Number(message.active_tools),
        least: afterCall ? least - 1 : least,
        most: afterCall ? most + 1 : most,
      };
      state.waiting = [...waiting, status];
    }
    return found;
  },
  end: ({ waiting }) => waiting.map((status) => compare(status, 0)),
});

/** The most statuses of an instant that are compared. */
const statusesKept = 64;

/** `beside`: the calls that began or ended just after the status. */
function compare({ event, active, least, most }: Status, beside: number): Finding {
  if (active >= least - beside && active <= most + beside) return exercised(event);
  const expected = least === most ? String(least) : `${Math.max(0, least)} to ${most}`;
  return violated(event, `expected active_tools ${expected}, the calls in flight; came ${active}`);
}

export const toolRules: readonly Rule<KodaView>[] = [
  resultsMatch,
  idsDiffer,
  linesMatch,
  linesPrecedeResult,
  linesAreSingle,
  linesKeepOrder,
  followsSubAgent,
  countsCalls,
];
