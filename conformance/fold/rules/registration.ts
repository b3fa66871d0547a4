/** FOLD-A01 to A09: how an agent registers, takes a refusal, and comes back after a loss. */
import { exercised, rule, violated } from '../../../src/kit/check/index.ts';
import type { Finding, Rule } from '../../../src/kit/check/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { FoldView } from '../view.ts';
import { agentMessage, serverMessage, streamOf } from '../view.ts';

/** Every topic of a message from the target. */
export const anyAgentMessage: readonly string[] = [
  'register',
  'response',
  'heartbeat',
  'injection_ack',
  'execute_pack_tool',
  'agent',
  'undecodable',
];

const isFromTarget = (event: TraceEvent): boolean => event.from === 'target';
const named = (event: TraceEvent): string =>
  Object.keys(event.data)[0] ??
  (event.kind === 'undecodable' ? 'bytes that are no AgentMessage' : 'an empty AgentMessage');

const firstMessage = rule({
  requirement: 'FOLD-A01',
  listens: [...anyAgentMessage, 'end', 'reset'],
  start: () => ({ spoken: new Set<string>() }),
  step(state, event, view: FoldView) {
    if (event.kind === 'end' || event.kind === 'reset') return void state.spoken.delete(event.stream);
    if (streamOf(view, event)?.session.register !== undefined) return undefined;
    if (!isFromTarget(event) || state.spoken.has(event.stream)) return undefined;
    state.spoken.add(event.stream);
    if (event.data['register'] !== undefined) return exercised(event);
    return violated(event, `expected register as the first message of the stream; came ${named(event)}`);
  },
});

const agentId = rule({
  requirement: 'FOLD-A02',
  listens: ['register'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const id = agentMessage(event).register?.agent_id ?? '';
    return id === ''
      ? violated(event, 'expected a non-empty agent_id in register; it is empty')
      : exercised(event);
  },
});

const identity = rule({
  requirement: 'FOLD-A03',
  listens: ['register'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const { name, metadata = {} } = agentMessage(event).register ?? {};
    const { working_directory, hostname, os, backend } = metadata;
    const fields = {
      name,
      'metadata.working_directory': working_directory,
      'metadata.hostname': hostname,
      'metadata.os': os,
      'metadata.backend': backend,
    };
    const empty = Object.entries(fields).flatMap(([field, value]) => ((value ?? '') === '' ? [field] : []));
    if (empty.length === 0) return exercised(event);
    return violated(
      event,
      `expected name, working_directory, hostname, os and backend in register; empty: ${empty.join(', ')}`,
    );
  },
});

const once = rule({
  requirement: 'FOLD-A04',
  listens: ['register', 'welcome'],
  start: () => null,
  step(_, event, view: FoldView) {
    if (event.data['welcome'] !== undefined) return exercised(event);
    const first = streamOf(view, event)?.session.register;
    if (first === undefined) return undefined;
    return violated(event, 'expected one register a stream; a second came', [first.seq]);
  },
});

/** How long Welcome must have been held back to show that the agent waits for it (ms). */
const heldBack = 200;

const waitsForWelcome = rule({
  requirement: 'FOLD-A05',
  listens: [...anyAgentMessage, 'welcome'],
  start: () => null,
  step(_, event, view: FoldView) {
    const session = streamOf(view, event)?.session;
    if (session?.register === undefined || session.phase !== 'registered') return undefined;
    if (event.data['welcome'] !== undefined)
      return event.at - session.register.at >= heldBack ? exercised(event) : undefined;
    if (!isFromTarget(event) || event.data['register'] !== undefined) return undefined;
    return violated(event, `expected nothing between register and Welcome; came ${named(event)}`, [
      session.register.seq,
    ]);
  },
});

/** An id that a Welcome assigned. */
interface Assigned {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly stream: string;
  /** Something came from the target on the same stream since, so it has the Welcome. */
  heard: boolean;
}

/** A message that was sent so long before the stream ended has arrived (ms). */
const arrives = 100;

const assignedId = rule({
  requirement: 'FOLD-A06',
  listens: ['welcome', ...anyAgentMessage],
  start: () => ({ assigned: undefined as Assigned | undefined }),
  step(state, event, view: FoldView) {
    const welcome = serverMessage(event).welcome;
    if (welcome !== undefined) {
      const own = streamOf(view, event)?.session.register?.message.agent_id ?? '';
      const id = welcome.agent_id ?? '';
      state.assigned =
        id !== '' && id !== own
          ? { id, seq: event.seq, at: event.at, stream: event.stream, heard: false }
          : undefined;
      return undefined;
    }
    const { assigned } = state;
    if (assigned === undefined) return undefined;
    if (agentMessage(event).register === undefined) {
      if (event.stream === assigned.stream && isFromTarget(event)) assigned.heard = true;
      return undefined;
    }
    state.assigned = undefined;
    const ended = view.streams.get(assigned.stream)?.ended?.at ?? event.at;
    if (!assigned.heard && ended - assigned.at < arrives + view.late) return undefined; // it may not have got the Welcome
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

function hotLoop(times: readonly number[], ofOne: boolean): string | undefined {
  const now = times.at(-1) ?? 0;
  const within = (ms: number): number => times.filter((t) => now - t < ms).length;
  if (!ofOne)
    return within(pace.ten) > pace.allPerTen ? `${within(pace.ten)} registrations in 10 s` : undefined;
  if (within(pace.second) > pace.perSecond)
    return `${within(pace.second)} registrations of one agent_id in 1 s`;
  return within(pace.ten) > pace.perTen
    ? `${within(pace.ten)} registrations of one agent_id in 10 s`
    : undefined;
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
      const session = streamOf(view, event)?.session;
      const refusal =
        event.kind === 'message' ||
        (event.data['code'] === 6 && session?.welcome === undefined && !isFromTarget(event));
      if (refusal) state.refused ??= event.at;
      return undefined;
    }
    const id = agentMessage(event).register?.agent_id ?? '';
    const times = [...(state.byId.get(id) ?? []), event.at].slice(-20);
    state.byId.set(id, times);
    if (state.byId.size > 200) for (const oldest of state.byId.keys()) if (state.byId.delete(oldest)) break;
    state.all = [...state.all, event.at].slice(-200);
    if (state.refused === undefined || state.told) return undefined;
    const hot = hotLoop(times, true) ?? hotLoop(state.all, false);
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
  listens: ['registration_error', 'register'],
  start: () => ({ suggested: undefined as { id: string; seq: number; at: number } | undefined }),
  step(state, event, _view: FoldView) {
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
  end({ suggested }, view, last) {
    if (suggested === undefined || last.at - suggested.at < view.timeouts.reconnect) return undefined;
    return violated(
      last,
      `expected a registration as the suggested ${suggested.id}; none came in ${view.timeouts.reconnect} ms`,
      [suggested.seq],
    );
  },
});

interface Lost {
  readonly ids: readonly string[];
  readonly seq: number;
  readonly at: number;
}

/** A stream of a registered agent that ended without a Shutdown, by no act of the agent's. */
function lossOf(event: TraceEvent, view: FoldView): Lost | undefined {
  const stream = streamOf(view, event);
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

const reconnects = rule({
  requirement: 'FOLD-A09',
  listens: ['register', 'end', 'reset', 'mark'],
  start: () => ({ lost: undefined as Lost | undefined }),
  step(state, event, view: FoldView): Finding | undefined {
    if (event.kind === 'mark') {
      if (event.data['fault'] === 'stop') state.lost = undefined;
      return undefined;
    }
    if (event.kind !== 'message') {
      state.lost ??= lossOf(event, view);
      return undefined;
    }
    const { lost } = state;
    if (lost === undefined) return undefined;
    state.lost = undefined;
    const id = agentMessage(event).register?.agent_id ?? '';
    const late = event.at - lost.at;
    if (late > view.timeouts.reconnect)
      return violated(
        event,
        `expected a new registration within ${view.timeouts.reconnect} ms of the loss; it came after ${Math.round(late)} ms`,
        [lost.seq],
      );
    if (lost.ids.includes(id)) return exercised(event);
    return violated(
      event,
      `expected a registration under the same agent_id (${lost.ids[0] ?? ''}) after the loss; came ${id}`,
      [lost.seq],
    );
  },
  end({ lost }, view, last) {
    if (lost === undefined || last.at - lost.at < view.timeouts.reconnect) return undefined;
    return violated(
      last,
      `expected a new registration within ${view.timeouts.reconnect} ms of losing the stream; none came`,
      [lost.seq],
    );
  },
});

/** The rules of this theme. */
export const registrationRules: readonly Rule<FoldView>[] = [
  firstMessage,
  agentId,
  identity,
  once,
  waitsForWelcome,
  assignedId,
  backsOff,
  suggestedId,
  reconnects,
];
