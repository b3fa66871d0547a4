/** FOLD-A50 to A56: heartbeats, shutdown, sessions, packs, credentials and pings. */
import {
  deadline,
  exercised,
  forgetOldest,
  momentOf,
  rule,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Rule, Wait } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Request } from '../../../../src/fold/index.ts';
import type { FoldView, StreamView } from '../view.ts';
import { agentMessage, patienceOf, serverMessage } from '../view.ts';

/** Unix milliseconds from 1973 to 5138. Unix seconds of our time are below, microseconds and nanoseconds above. */
const isOtherUnit = (time: number): boolean => (time >= 1e9 && time < 1e11) || time >= 1e14;

const heartbeat = rule({
  requirement: 'FOLD-A50',
  listens: ['heartbeat'],
  start: () => ({ last: -Infinity }),
  step(state, event, _view: FoldView) {
    const ms = Number(agentMessage(event).heartbeat?.timestamp_ms ?? 0);
    const { last } = state;
    state.last = Math.max(last, ms);
    if (isOtherUnit(ms))
      return violated(event, `expected Unix milliseconds; ${ms} is a time in another unit`);
    return ms >= last
      ? exercised(event)
      : violated(event, `expected timestamps that never fall; ${ms} came after ${last}`);
  },
});

/** The Shutdown after which the target closes a stream; undefined for every other event. */
function closingOf(event: TraceEvent, view: FoldView): { readonly seq: number } | undefined {
  const { stream } = view;
  const shutdown = stream?.session.shutdown;
  if (stream === undefined || shutdown === undefined || event.from !== 'target') return undefined;
  if (stream.ended !== undefined || stream.closedByTarget !== undefined || stream.disturbed) return undefined;
  return shutdown;
}

interface ShutdownWait extends Wait {
  readonly stream: StreamView;
}

const closesInGrace = deadline<ShutdownWait, FoldView>({
  requirement: 'FOLD-A51',
  listens: ['shutdown', 'half_close', 'reset', 'end'],
  begins(event, { stream }) {
    const open = stream !== undefined && stream.ended === undefined && stream.closedByTarget === undefined;
    if (event.data['shutdown'] === undefined || !open || stream.session.shutdown !== undefined)
      return undefined;
    return { ...momentOf(event), key: stream.id, expected: 'the stream to be closed after Shutdown', stream };
  },
  settles({ stream }, event, view) {
    if (event.stream !== stream.id || event.kind === 'message') return undefined;
    if (closingOf(event, view) !== undefined) return 'exercised';
    return event.from !== 'target' && event.kind === 'half_close' ? undefined : 'dropped';
  },
  within: ({ timeouts }) => timeouts.shutdown,
  overdue: ({ stream }) => (stream.disturbed ? 'dropped' : 'violated'),
});

const finishesFirst = rule({
  requirement: 'FOLD-A52',
  listens: ['shutdown', 'half_close', 'reset', 'end'],
  start: () => new Set<string>(),
  step(busy, event, view: FoldView) {
    const session = view.stream?.session;
    if (session === undefined) return undefined;
    if (event.kind === 'message') {
      if (session.active.size > 0) busy.add(event.stream);
      return undefined;
    }
    const closed = closingOf(event, view);
    if (closed === undefined || !busy.delete(event.stream)) return undefined;
    const open = [...session.active.keys()];
    if (open.length === 0) return exercised(event);
    return violated(
      event,
      `expected active requests to end before the stream is closed on Shutdown; open: ${open.join(', ')}`,
      [closed.seq],
    );
  },
});

const orphaned = rule({
  requirement: 'FOLD-A53',
  listens: ['response.done', 'response.error', 'response.cancelled'],
  start: () => null,
  step(_, event, view: FoldView) {
    return view.request?.orphaned === undefined ? undefined : exercised(event);
  },
  pending: (_, view) =>
    [...view.streams.values()]
      .filter(({ disturbed, ended }) => !disturbed && ended?.by !== 'kit')
      .flatMap(({ session }) => [...session.active.values()])
      .flatMap((request) => {
        if (request.orphaned === undefined) return [];
        const expected = `a terminal after session_orphaned of request ${request.id}`;
        // The agent may go on in a new session.
        return [{ ...request.last, within: patienceOf(request, view), expected }];
      }),
});

const callsPack = ({ steps }: Request): boolean => steps?.some((step) => 'pack_tool' in step) === true;

const packIds = rule({
  requirement: 'FOLD-A54',
  listens: ['execute_pack_tool', 'pack_tool_result', 'end', 'reset'],
  /** By stream: the requests that had a call to make while another call was outstanding, and made none. */
  start: () => new Map<string, ReadonlySet<Request>>(),
  step(serial, event, view: FoldView) {
    if (event.kind !== 'message') return void serial.delete(event.stream);
    const { packCalls: calls, active } = view.stream?.session ?? {};
    if (calls === undefined || active === undefined) return undefined;
    if (event.from !== 'target') {
      const result = serverMessage(event).pack_tool_result;
      const waiting = [...active.values()].filter((r) => callsPack(r) && r.last.seq === r.seq);
      // One of the calling requests made the call that is out.
      if (calls.size === 1 && result !== undefined && waiting.length > 1)
        serial.set(event.stream, new Set(waiting.slice(1)));
      return undefined;
    }
    const id = agentMessage(event).execute_pack_tool?.request_id ?? '';
    const before = calls.get(id);
    if (before !== undefined)
      return violated(
        event,
        `expected a request_id unique among outstanding ExecutePackTool; ${id} is still out`,
        [before.seq],
      );
    if (calls.size > 0) return exercised(event);
    // An agent that runs its requests one after another has one call at a time.
    const one = [...(serial.get(event.stream) ?? [])].some((request) => request.terminal === undefined);
    return one ? exercised(event) : undefined;
  },
});

/** The most nonces that are kept; enough for the window of a gateway. */
const noncesKept = 4096;

const freshNonce = rule({
  requirement: 'FOLD-A55',
  listens: ['open'],
  start: () => new Map<string, number>(),
  step(seen, event, _view: FoldView) {
    const nonce = event.data['x-ssh-nonce'];
    if (typeof nonce !== 'string') return undefined;
    const before = seen.get(nonce);
    if (before !== undefined)
      return violated(event, 'expected a fresh x-ssh-nonce for each stream; an earlier nonce came again', [
        before,
      ]);
    seen.set(nonce, event.seq);
    forgetOldest(seen, noncesKept);
    return seen.size > 1 ? exercised(event) : undefined;
  },
});

/** Common servers refuse pings at shorter intervals (ms). */
const pingGap = 5000;
/** The tolerance for the clock (ms). */
const clockRoom = 50;

const pings = rule({
  requirement: 'FOLD-A56',
  listens: [
    'ping',
    'headers',
    'welcome',
    'send_message',
    'shutdown',
    'tool_approval',
    'registration_error',
    'inject_context',
    'cancel_request',
    'pack_tool_result',
    'server',
  ],
  start: () => new Map<string, { readonly seq: number; readonly at: number }>(),
  step(last, event, view: FoldView) {
    if (event.kind !== 'ping') {
      if (event.from !== 'target') last.delete(event.conn);
      return undefined;
    }
    // Bandwidth probes follow the gateway's DATA, also between two frames of one message.
    if (event.data['after_data'] === true) last.delete(event.conn);
    const before = last.get(event.conn);
    last.set(event.conn, { seq: event.seq, at: event.at });
    if (before === undefined) return undefined;
    const gap = event.at - before.at;
    if (gap >= pingGap - clockRoom) return exercised(event);
    if (view.late > 0) return undefined; // delayed pings arrive together
    return violated(
      event,
      `expected HTTP/2 pings at least ${pingGap} ms apart; two came ${Math.round(gap)} ms apart`,
      [before.seq],
    );
  },
});

export const lifecycleRules: readonly Rule<FoldView>[] = [
  heartbeat,
  closesInGrace,
  finishesFirst,
  orphaned,
  packIds,
  freshNonce,
  pings,
];
