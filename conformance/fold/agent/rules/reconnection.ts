/** FOLD-A06 to A09: how an agent comes back, after a refusal or a loss, and under which ID. */
import {
  deadline,
  exercised,
  forgetOldest,
  overdue,
  rule,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule, Wait } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { FoldView } from '../view.ts';
import { agentMessage, serverMessage } from '../view.ts';

const isFromTarget = (event: TraceEvent): boolean => event.from === 'target';

/** An id that a Welcome assigned. */
interface Assigned {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly stream: string;
}

/** A message that was sent so long before the stream ended has arrived (ms). */
const arrives = 100;

const assignedId = rule({
  requirement: 'FOLD-A06',
  listens: ['welcome', 'register'],
  start: () => ({ assigned: undefined as Assigned | undefined }),
  step(state, event, view: FoldView) {
    const welcome = serverMessage(event).welcome;
    if (welcome !== undefined) {
      const own = view.stream?.session.register?.message.agent_id ?? '';
      const id = welcome.agent_id ?? '';
      state.assigned =
        id !== '' && id !== own ? { id, seq: event.seq, at: event.at, stream: event.stream } : undefined;
      return undefined;
    }
    const { assigned } = state;
    if (assigned === undefined) return undefined;
    state.assigned = undefined;
    const stream = view.streams.get(assigned.stream);
    const ended = stream?.ended?.at ?? event.at;
    // What it said on that stream since shows that it has the Welcome.
    const heard = (stream?.heard ?? -1) > assigned.seq;
    if (!heard && ended - assigned.at < arrives + view.late) return undefined; // it may not have got the Welcome
    const id = agentMessage(event).register?.agent_id ?? '';
    if (id === assigned.id) return exercised(event);
    return violated(
      event,
      `expected the agent_id that Welcome assigned (${assigned.id}) at the next registration; came ${id}`,
      [assigned.seq],
    );
  },
});

/** Windows of the hot-loop test: registrations of one agent_id, and of all, in so many ms. */
const pace = { second: 1000, ten: 10_000, perSecond: 3, perTen: 10, allPerTen: 100 } as const;

/** How many of the times, which never fall, are less than so many ms before the last. */
function within(times: readonly number[], ms: number): number {
  const now = times.at(-1) ?? 0;
  let n = 0;
  for (let i = times.length - 1; i >= 0 && now - (times[i] ?? 0) < ms; i--) n++;
  return n;
}

/** What is too often: registrations of one agent_id, or of all. */
function hotLoop(ofOne: readonly number[], ofAll: readonly number[]): string | undefined {
  const second = within(ofOne, pace.second);
  if (second > pace.perSecond) return `${second} registrations of one agent_id in 1 s`;
  const ten = within(ofOne, pace.ten);
  if (ten > pace.perTen) return `${ten} registrations of one agent_id in 10 s`;
  const all = within(ofAll, pace.ten);
  return all > pace.allPerTen ? `${all} registrations in 10 s` : undefined;
}

/** Adds to a list that keeps its last so many. */
function push(times: number[], time: number, most: number): void {
  if (times.length >= most) times.shift();
  times.push(time);
}

const backsOff = rule({
  requirement: 'FOLD-A07',
  listens: ['register', 'registration_error', 'end'],
  start: () => ({
    refused: undefined as number | undefined,
    all: [] as number[],
    byId: new Map<string, number[]>(),
    told: false,
  }),
  step(state, event, view: FoldView) {
    if (event.data['register'] === undefined) {
      const session = view.stream?.session;
      const refusal =
        event.kind === 'message' ||
        (event.data['code'] === 6 && session?.welcome === undefined && !isFromTarget(event));
      if (refusal) state.refused ??= event.at;
      return undefined;
    }
    const id = agentMessage(event).register?.agent_id ?? '';
    const times = state.byId.get(id) ?? [];
    if (times.length === 0) state.byId.set(id, times);
    push(times, event.at, 20);
    push(state.all, event.at, 200);
    forgetOldest(state.byId, 200);
    if (state.refused === undefined || state.told) return undefined;
    const hot = hotLoop(times, state.all);
    if (hot === undefined) return exercised(event);
    state.told = true;
    return violated(event, `expected giving up, backing off or another id after a refusal; came ${hot}`);
  },
  end(state, _view, last) {
    const gaveUp =
      state.refused !== undefined && last.at - state.refused >= pace.second && state.all.length === 1;
    return gaveUp ? exercised(last) : undefined;
  },
});

const suggestedId = rule({
  requirement: 'FOLD-A08',
  listens: ['registration_error', 'register', 'mark'],
  start: () => ({ suggested: undefined as { id: string; seq: number; at: number } | undefined }),
  step(state, event, _view: FoldView) {
    if (event.kind === 'mark') {
      if (event.data['fault'] === 'stop') state.suggested = undefined;
      return undefined;
    }
    const refusal = serverMessage(event).registration_error;
    if (refusal !== undefined) {
      const id = refusal.suggested_id ?? '';
      state.suggested = id === '' ? undefined : { id, seq: event.seq, at: event.at };
      return undefined;
    }
    const { suggested } = state;
    if (suggested === undefined) return undefined;
    state.suggested = undefined;
    const id = agentMessage(event).register?.agent_id ?? '';
    if (id === suggested.id) return exercised(event);
    return violated(event, `expected a registration as the suggested ${suggested.id}; came ${id}`, [
      suggested.seq,
    ]);
  },
  end: ({ suggested }, view, last) =>
    suggested &&
    overdue(
      [
        {
          ...suggested,
          within: view.timeouts.reconnect,
          expected: `a registration as the suggested ${suggested.id}`,
        },
      ],
      last,
    ),
});

interface Lost {
  readonly ids: readonly string[];
  readonly seq: number;
  readonly at: number;
}

/** A stream of a registered agent that ended without a Shutdown, by no act of the agent's. */
function lossOf(event: TraceEvent, view: FoldView): Lost | undefined {
  const { stream } = view;
  const { session } = stream ?? {};
  if (stream === undefined || session?.welcome === undefined || session.shutdown !== undefined)
    return undefined;
  if (stream.closedByTarget !== undefined || stream.ended !== undefined) return undefined;
  if (isFromTarget(event) && !stream.disturbed) return undefined;
  return {
    ids: [session.welcome.agentId, session.register?.message.agent_id ?? ''],
    seq: event.seq,
    at: event.at,
  };
}

interface Return extends Wait {
  readonly ids: readonly string[];
}

const reconnects = deadline<Return, FoldView>({
  requirement: 'FOLD-A09',
  listens: ['register', 'end', 'reset', 'mark'],
  begins(event, view) {
    const lost = event.kind === 'end' || event.kind === 'reset' ? lossOf(event, view) : undefined;
    const expected = `a new registration under the same agent_id (${lost?.ids[0] ?? ''}) after the loss`;
    return lost && { ...lost, key: 'lost', expected };
  },
  settles({ ids }, event) {
    if (event.kind === 'mark') return event.data['fault'] === 'stop' ? 'dropped' : undefined;
    const { register } = agentMessage(event);
    if (register === undefined) return undefined;
    const { agent_id: id = '' } = register;
    return ids.includes(id) ? 'exercised' : { came: id === '' ? 'one without an id' : id };
  },
  within: ({ timeouts }) => timeouts.reconnect,
});

/** A new stream so soon after the loss shows no pause at all (ms); a backoff with jitter may be short. */
const noPause = 50;

/** The other half of FOLD-A09: what is lost is not dialled again at once. */
const pauses = rule({
  requirement: 'FOLD-A09',
  listens: ['register', 'end', 'reset', 'mark'],
  start: () => ({ cut: undefined as number | undefined, lost: undefined as Lost | undefined }),
  step(state, event, view: FoldView): Finding | undefined {
    if (event.kind === 'mark') {
      if (event.data['fault'] !== undefined) state.cut ??= event.at;
      if (event.data['fault'] === 'stop') state.lost = undefined;
      return undefined;
    }
    if (event.kind !== 'message') {
      state.lost ??= lossOf(event, view);
      return undefined;
    }
    const { lost, cut = Infinity } = state;
    if (lost === undefined) return undefined;
    state.lost = undefined;
    state.cut = undefined;
    // The target may have noticed before we did; and what was held up may have come together.
    const paused = event.at - Math.min(lost.at, cut);
    if (paused >= noPause) return exercised(event);
    if (view.late > 0) return undefined;
    return violated(
      event,
      `expected a pause before the next registration after the loss; it came after ${Math.round(paused)} ms`,
      [lost.seq],
    );
  },
});

/** The rules of this theme. */
export const reconnectionRules: readonly Rule<FoldView>[] = [
  assignedId,
  backsOff,
  suggestedId,
  reconnects,
  pauses,
];
