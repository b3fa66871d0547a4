/** FOLD-A06 to A09: how an agent registers again after a refusal or a loss, and under which id. */
import { deadline, exercised, forgetOldest, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule, Wait } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { FoldView, StreamView } from '../view.ts';
import { agentMessage, fromTarget, serverMessage } from '../view.ts';

/** An id that a Welcome assigned. */
interface AssignedId {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly stream: string;
}

/** A message has arrived when it was sent this long before the end of the stream (ms). */
const arrivalTime = 100;

const assignedId = rule({
  requirement: 'FOLD-A06',
  listens: ['welcome', 'register'],
  start: (): { assigned: AssignedId | undefined } => ({ assigned: undefined }),
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
    // A later message on that stream shows that the agent has the Welcome.
    const heard = (stream?.lastFromTarget ?? -1) > assigned.seq;
    if (!heard && ended - assigned.at < arrivalTime + view.late) return undefined; // the Welcome may not have arrived
    const id = agentMessage(event).register?.agent_id ?? '';
    if (id === assigned.id) return exercised(event);
    return violated(
      event,
      `expected the agent_id that Welcome assigned (${assigned.id}) at the next registration; came ${id}`,
      [assigned.seq],
    );
  },
});

/** Limits of a hot loop: windows (ms), and the most registrations of one agent_id or of all within them. */
const registrationLimits = { second: 1000, ten: 10_000, perSecond: 3, perTen: 10, allPerTen: 100 } as const;

/** The number of times that are less than `ms` before the last. The times are in ascending order. */
function countWithin(times: readonly number[], ms: number): number {
  const now = times.at(-1) ?? 0;
  let n = 0;
  for (let i = times.length - 1; i >= 0 && now - (times[i] ?? 0) < ms; i--) n++;
  return n;
}

/** The exceeded limit in words; undefined when no limit is exceeded. */
function hotLoop(ofOne: readonly number[], ofAll: readonly number[]): string | undefined {
  const second = countWithin(ofOne, registrationLimits.second);
  if (second > registrationLimits.perSecond) return `${second} registrations of one agent_id in 1 s`;
  const ten = countWithin(ofOne, registrationLimits.ten);
  if (ten > registrationLimits.perTen) return `${ten} registrations of one agent_id in 10 s`;
  const all = countWithin(ofAll, registrationLimits.ten);
  return all > registrationLimits.allPerTen ? `${all} registrations in 10 s` : undefined;
}

/** Adds to a list that keeps only the last `most` times. */
function pushBounded(times: number[], time: number, most: number): void {
  if (times.length >= most) times.shift();
  times.push(time);
}

/** The registrations after a refusal. */
interface Attempts {
  refused: number | undefined;
  readonly all: number[];
  readonly byId: Map<string, number[]>;
  /** Whether a violation was reported. */
  told: boolean;
}

const backsOff = rule({
  requirement: 'FOLD-A07',
  listens: ['register', 'registration_error', 'end', 'process'],
  start: (): Attempts => ({ refused: undefined, all: [], byId: new Map(), told: false }),
  step(state, event, view: FoldView) {
    // The process gave up.
    if (event.kind === 'process')
      return state.refused === undefined || state.told ? undefined : exercised(event);
    if (event.data['register'] === undefined) {
      const session = view.stream?.session;
      const refusal =
        event.kind === 'message' ||
        (event.data['code'] === 6 && session?.welcome === undefined && !fromTarget(event));
      if (refusal) state.refused ??= event.at;
      return undefined;
    }
    const id = agentMessage(event).register?.agent_id ?? '';
    const times = state.byId.get(id) ?? [];
    if (times.length === 0) state.byId.set(id, times);
    pushBounded(times, event.at, 20);
    pushBounded(state.all, event.at, 200);
    forgetOldest(state.byId, 200);
    if (state.refused === undefined || state.told) return undefined;
    const hot = hotLoop(times, state.all);
    if (hot === undefined) return exercised(event);
    state.told = true;
    return violated(event, `expected giving up, backing off or another id after a refusal; came ${hot}`);
  },
  end(state, _view, last) {
    const gaveUp =
      state.refused !== undefined &&
      last.at - state.refused >= registrationLimits.second &&
      state.all.length === 1;
    return gaveUp ? exercised(last) : undefined;
  },
});

const suggestedId = rule({
  requirement: 'FOLD-A08',
  listens: ['registration_error', 'register', 'mark', 'process'],
  start: (): { suggested: { id: string; seq: number; at: number } | undefined } => ({ suggested: undefined }),
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
    if (event.kind === 'process')
      return violated(
        event,
        `expected a registration as the suggested ${suggested.id}; the process ended instead`,
        [suggested.seq],
      );
    const id = agentMessage(event).register?.agent_id ?? '';
    if (id === suggested.id) return exercised(event);
    return violated(event, `expected a registration as the suggested ${suggested.id}; came ${id}`, [
      suggested.seq,
    ]);
  },
  pending: ({ suggested }, view) =>
    suggested === undefined
      ? []
      : [
          {
            ...suggested,
            within: view.timeouts.reconnect,
            expected: `a registration as the suggested ${suggested.id}`,
          },
        ],
});

interface StreamLoss {
  readonly ids: readonly string[];
  readonly seq: number;
  readonly at: number;
}

/** Whether the agent of a stream has already registered on a newer one, as it may after a graceful GOAWAY. */
const hasMoved = ({ streams }: FoldView, old: StreamView, ids: readonly string[]): boolean =>
  [...streams.values()].some(
    ({ ended, session: { register } }) =>
      ended === undefined &&
      register !== undefined &&
      register.seq > (old.session.register?.seq ?? 0) &&
      ids.includes(register.message.agent_id ?? ''),
  );

/** The loss of a registered agent's stream: it ended without a Shutdown, and the agent did not end it. */
function lossOf(event: TraceEvent, view: FoldView): StreamLoss | undefined {
  const { stream } = view;
  const { session } = stream ?? {};
  if (stream === undefined || session?.welcome === undefined || session.shutdown !== undefined)
    return undefined;
  if (stream.closedByTarget !== undefined || stream.ended !== undefined) return undefined;
  if (fromTarget(event) && !stream.disturbed) return undefined;
  const ids = [session.welcome.agentId, session.register?.message.agent_id ?? ''];
  if (stream.drained !== undefined && hasMoved(view, stream, ids)) return undefined;
  return {
    ids,
    seq: event.seq,
    at: event.at,
  };
}

interface ReconnectionWait extends Wait {
  readonly ids: readonly string[];
}

const reconnects = deadline<ReconnectionWait, FoldView>({
  requirement: 'FOLD-A09',
  listens: ['register', 'end', 'reset', 'mark', 'process'],
  begins(event, view) {
    const lost = event.kind === 'end' || event.kind === 'reset' ? lossOf(event, view) : undefined;
    const expected = `a new registration under the same agent_id (${lost?.ids[0] ?? ''}) after the loss`;
    return lost && { ...lost, key: 'lost', expected };
  },
  settles({ ids }, event) {
    if (event.kind === 'mark') return event.data['fault'] === 'stop' ? 'dropped' : undefined;
    if (event.kind === 'process') return 'dropped'; // the rule `givesUp` judges it
    const { register } = agentMessage(event);
    if (register === undefined) return undefined;
    const { agent_id: id = '' } = register;
    return ids.includes(id) ? 'exercised' : { came: id === '' ? 'a registration without an id' : id };
  },
  within: ({ timeouts }) => timeouts.reconnect,
});

/** The third part of FOLD-A09: the process must not end because its stream was lost. */
const givesUp = rule({
  requirement: 'FOLD-A09',
  listens: ['register', 'end', 'reset', 'mark', 'process'],
  start: (): { cut: boolean; exited: boolean; lost: StreamLoss | undefined } => ({
    cut: false,
    exited: false,
    lost: undefined,
  }),
  step(state, event, view: FoldView): Finding | undefined {
    if (event.kind === 'mark') {
      const { fault } = event.data;
      state.cut ||= fault === 'cut' || fault === 'reset' || fault === 'goaway';
      if (fault === 'stop') state.lost = undefined;
      return undefined;
    }
    if (event.kind === 'message') return void (state.lost = undefined);
    // The target may notice the loss, and its process may end, before the kit sees the end of the stream.
    if (event.kind === 'process') state.exited = state.cut || state.lost !== undefined;
    else state.lost ??= lossOf(event, view);
    const { lost, exited } = state;
    if (lost === undefined || !exited) return undefined;
    state.lost = undefined;
    return violated(
      event,
      `expected a new registration under the same agent_id (${lost.ids[0] ?? ''}) after the loss; the process ended instead`,
      [lost.seq],
    );
  },
});

/** The shortest pause after a loss (ms). It is low, because a backoff with jitter may be short. */
const minimumPause = 50;

/** The second part of FOLD-A09: an agent must not dial again at once after a loss. */
const pauses = rule({
  requirement: 'FOLD-A09',
  listens: ['register', 'end', 'reset', 'mark'],
  start: (): { cut: number | undefined; lost: StreamLoss | undefined } => ({
    cut: undefined,
    lost: undefined,
  }),
  step(state, event, view: FoldView): Finding | undefined {
    if (event.kind === 'mark') {
      const { fault, code } = event.data;
      // A graceful GOAWAY ends no stream.
      if (fault !== undefined && code !== 'NO_ERROR') state.cut ??= event.at;
      if (fault === 'stop') state.lost = undefined;
      return undefined;
    }
    if (event.kind !== 'message') {
      // After a graceful GOAWAY an agent may move to a new connection at once.
      const moves = fromTarget(event) && view.stream?.drained !== undefined && state.cut === undefined;
      state.lost ??= moves ? undefined : lossOf(event, view);
      return undefined;
    }
    const { lost, cut = Infinity } = state;
    if (lost === undefined) return undefined;
    state.lost = undefined;
    state.cut = undefined;
    // The target may have noticed the loss earlier than the kit. Delayed events may arrive together.
    const paused = event.at - Math.min(lost.at, cut);
    if (paused >= minimumPause) return exercised(event);
    if (view.late > 0) return undefined;
    return violated(
      event,
      `expected a pause before the next registration after the loss; it came after ${Math.round(paused)} ms`,
      [lost.seq],
    );
  },
});

export const reconnectionRules: readonly Rule<FoldView>[] = [
  assignedId,
  backsOff,
  suggestedId,
  reconnects,
  givesUp,
  pauses,
];
