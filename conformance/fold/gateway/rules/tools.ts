/** FOLD-G28 to G33: usage, tool states and approvals. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import {
  deadline,
  exercised,
  forgetOldest,
  momentOf,
  rule,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, WaitOutcome, Wait } from '../../../../src/kit/judge/index.ts';
import { usageCounts } from '../../../../src/fold/index.ts';
import { callIn, isLive, liveAgent } from '../calls.ts';
import type { ForwardedRequest, CallFields, GatewayView, StreamView } from '../model.ts';
import { membersOf, textOf } from '../model.ts';
import { packOutSince } from '../packs.ts';
import { isUnimplemented } from '../events.ts';
import { serverMessage } from '../view.ts';
import { endText, isHindered } from '../waiting.ts';
import { endedCall } from './features.ts';
import { nothingChanged, nothingLost } from './requests.ts';

/** The counts of a request's usage events, summed. */
const sumOf = ({ request }: ForwardedRequest): readonly number[] =>
  usageCounts.map((name) => request.usage.reduce((n, usage) => n + (usage[name] ?? 0), 0));

const countsOf = (entry: unknown): readonly number[] =>
  usageCounts.map((name) => Number(membersOf(entry)[name] ?? 0));

const same = (a: readonly number[], b: readonly number[]): boolean => a.every((n, i) => n === b[i]);

/** Whether the gateway may have ended a request before all usage of its agent had come. */
function endedByItself({ call, request, stream, stopAsked }: ForwardedRequest): boolean {
  const before = (call?.terminal?.seq ?? Infinity) < (request.terminal?.seq ?? Infinity);
  return before || (stopAsked !== undefined && !stream.session.features.has('cancellation'));
}

/** An entry of the usage of a thread in words. */
const entryText = (entry: unknown): string =>
  `${textOf(membersOf(entry)['request_id']) || 'an entry without request_id'} ${countsOf(entry).join('/')}`;

/** The requests of a thread that used tokens, and had ended for their requester before a moment. */
function usedIn(view: GatewayView, thread: string, seq: number): readonly ForwardedRequest[] {
  const found: ForwardedRequest[] = [];
  for (const stream of view.streams.values())
    for (const asked of stream.requests.values()) {
      const { call, request } = asked;
      // Events on a disturbed connection may be lost.
      if (call === undefined || call.thread !== thread || asked.ambiguous || stream.disturbed) continue;
      if (endedByItself(asked)) continue;
      if ((call.terminal?.seq ?? Infinity) > seq || (request.terminal?.seq ?? Infinity) > seq) continue;
      if (sumOf(asked).some((n) => n !== 0)) found.push(asked);
    }
  return found;
}

const summedUsage = rule({
  requirement: 'FOLD-G28',
  listens: ['op.reply.thread_usage'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { call } = view;
    const answer = membersOf(event.data['thread_usage']);
    const entries: readonly unknown[] = Array.isArray(answer['usage']) ? answer['usage'] : [];
    if (call?.verb !== 'thread_usage') return undefined;
    const used = usedIn(view, call.text.thread_id ?? '', call.seq);
    for (const asked of used) {
      const { id } = asked.request;
      const names = new Set([id, asked.call?.requestId]);
      const own = entries.filter((entry) => names.has(textOf(membersOf(entry)['request_id'])));
      const sums = own.length > 0 ? own : entries.filter((entry) => same(countsOf(entry), sumOf(asked)));
      const [entry] = sums;
      if (sums.length === 1 && same(countsOf(entry), sumOf(asked))) continue;
      if (own.length === 0 && sums.length > 1) continue;
      const came = entries.length === 0 ? 'no entries' : entries.slice(0, 5).map(entryText).join(' and ');
      return violated(
        event,
        `expected the summed usage of request ${id} once (${usageCounts.join('/')} = ${sumOf(asked).join('/')}); came ${came}`,
        [asked.seq],
      );
    }
    return used.length > 0 ? exercised(event) : undefined;
  },
});

interface Decision extends Wait {
  readonly call: string;
  readonly asked: ForwardedRequest;
  readonly target: StreamView;
  readonly text: CallFields;
}

/** The active request in which a tool waits for a decision, if the operator has received the question. */
function asking(target: StreamView, tool: string, at: number, late: number): ForwardedRequest | undefined {
  for (const { id, tools } of target.session.active.values()) {
    const asked = target.requests.get(id);
    const since = tools.get(tool)?.asked;
    if (asked === undefined || since === undefined || tools.get(tool)?.decided !== undefined) continue;
    const unseen = [...asked.pending, ...asked.skipped].some(
      ({ name, data }) => name === 'tool_approval' && membersOf(data)['id'] === tool,
    );
    const shown = !unseen && asked.call?.stream.ended === undefined;
    if (shown || at - since.at > late) return asked;
  }
  return undefined;
}

const decisionReaches = deadline<Decision, GatewayView>({
  requirement: 'FOLD-G32',
  begins(event, view) {
    const text = callIn(event, 'approve');
    const target = liveAgent(view, text?.agent_id ?? '');
    const tool = text?.tool_id ?? '';
    if (text === undefined || target === undefined || view.stop !== undefined) return undefined;
    const ask = target.asks.get(tool);
    const asked = asking(target, tool, event.at, view.timeouts.late);
    if (asked === undefined || asked.ambiguous || ask === undefined) return undefined;
    if (ask.wanted >= ask.asked || ask.decided >= ask.asked) return undefined;
    const flags = `approved=${String(text.approved === true)}, approve_all=${String(text.approve_all === true)}`;
    const expected = `the decision about ${tool} (${flags}) to reach ${text.agent_id ?? ''}`;
    return {
      ...momentOf(event),
      key: `${target.id} ${tool}`,
      expected,
      call: event.stream,
      asked,
      target,
      text,
    };
  },
  settles({ call, asked, target, text }, event, view): WaitOutcome {
    if (isHindered(view, call, target)) return 'dropped';
    // After a cancel, the gateway may have ended the request before the agent knows.
    if (asked.stopAsked !== undefined) return 'dropped';
    // Of two decisions at the same time, one is too late. The trace does not show which.
    const ask = target.asks.get(text.tool_id ?? '');
    const contested = ask !== undefined && ask.wanted > ask.asked;
    if (event.stream === call && event.kind === 'end' && event.from === 'target' && event.data['code'] !== 0)
      return contested || isUnimplemented(event) ? 'dropped' : { came: endText(event) };
    // The operator's question and the agent's decision have the same name, `tool_approval`.
    const said = event.from === 'target' && event.wire !== 'operator' ? serverMessage(event) : {};
    const decision = said.tool_approval;
    if (decision === undefined)
      return asked.request.terminal === undefined && asked.request.cancel === undefined
        ? undefined
        : 'dropped';
    if ((decision.id ?? '') !== (text.tool_id ?? '')) return wrongId(target, decision.id ?? '', event);
    if (event.stream !== target.id)
      return view.stream?.asks.has(decision.id ?? '') === true
        ? undefined
        : { came: 'a decision to another agent' };
    const flags = (d: typeof decision | CallFields): string =>
      `${String(d.approved === true)} ${String(d.approve_all === true)}`;
    if (flags(decision) === flags(text)) return 'exercised';
    if (contested) return 'dropped';
    return {
      came: `approved=${String(decision.approved === true)}, approve_all=${String(decision.approve_all === true)}`,
    };
  },
  within: (view) => view.timeouts.step,
  overdue: ({ asked, target, at }) =>
    asked.request.terminal !== undefined || !isLive(target) || packOutSince(target, at)
      ? 'dropped'
      : 'violated',
});

/** A decision under an id that the agent never asked about. */
const wrongId = (target: StreamView, id: string, event: TraceEvent): WaitOutcome =>
  event.stream === target.id && !target.asks.has(id) ? { came: `a decision about "${id}"` } : undefined;

/** The most pending calls that are kept. */
const callsKept = 256;

const onlyIfAsked = rule({
  requirement: 'FOLD-G33',
  listens: ['tool_approval', 'op.approve', 'op.end'],
  start: () => new Set<string>(),
  step(state, event, view: GatewayView): Findings {
    const text = callIn(event, 'approve');
    if (text !== undefined) {
      const target = liveAgent(view, text.agent_id ?? '');
      const ask = target?.asks.get(text.tool_id ?? '');
      const idle = ask === undefined || Math.max(ask.wanted, ask.decided) >= ask.asked;
      if (target !== undefined && idle) state.add(event.stream);
      forgetOldest(state, callsKept);
      return undefined;
    }
    if (event.wire === 'operator')
      return state.delete(event.stream) && endedCall(event, view, 'approve') !== undefined
        ? exercised(event)
        : undefined;
    const { agentStream: stream } = view;
    const id = serverMessage(event).tool_approval?.id ?? '';
    const ask = stream?.asks.get(id);
    if (stream === undefined) return undefined;
    if (ask === undefined)
      return awaited(view, stream)
        ? undefined
        : violated(event, `expected only decisions that the agent asked for; came a decision about "${id}"`);
    if (ask.decided < ask.asked) return exercised(event);
    return violated(event, `expected one decision an ask; another came about ${id}`, [ask.seq]);
  },
});

/** Whether a decision of this agent's is on its way: one under a wrong id is FOLD-G32's. */
function awaited(_view: GatewayView, { asks }: StreamView): boolean {
  for (const { asked, wanted, decided } of asks.values()) if (Math.min(asked, wanted) > decided) return true;
  return false;
}

export const toolRules: readonly Rule<GatewayView>[] = [
  summedUsage,
  nothingLost('FOLD-G29', ({ request }) => request.usage.length > 0),
  nothingChanged('FOLD-G29'),
  nothingLost('FOLD-G30', ({ unknownState }) => unknownState),
  nothingChanged('FOLD-G30'),
  nothingLost('FOLD-G31', ({ states }) => states),
  nothingChanged('FOLD-G31'),
  decisionReaches,
  onlyIfAsked,
];
