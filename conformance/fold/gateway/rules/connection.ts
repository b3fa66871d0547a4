/** FOLD-G01, G43 to G45, G53 and G54: headers, heartbeats, silence, a planned stop, tokens and pings. */
import {
  deadline,
  exercised,
  forgetOldest,
  momentOf,
  rule,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { isLive } from '../calls.ts';
import type { GatewayView, StreamView } from '../model.ts';
import { endsByTarget, kindOf, mayEnd, serverMessage } from '../view.ts';
import { endsStream, endText, streamGoesOn, reachesNobody } from '../waiting.ts';
import type { StreamWait } from '../waiting.ts';

const headersAtOnce = deadline<StreamWait, GatewayView>({
  requirement: 'FOLD-G01',
  begins(event, view) {
    if (event.kind !== 'open' || view.stop !== undefined || kindOf(event) !== 'agent') return undefined;
    const { stream } = event;
    const expected = 'response headers without waiting for the first message';
    return { ...momentOf(event), key: stream, stream, expected };
  },
  settles(wait, event, view) {
    if (event.stream !== wait.stream) return undefined;
    const { stream } = view;
    if (stream?.disturbed === true || endsStream(event, wait.stream)) return 'dropped';
    if (event.from !== 'target') return undefined;
    return stream?.spoke === undefined ? 'exercised' : 'dropped';
  },
  within: (view) => view.timeouts.handshake,
  overdue({ stream }, view) {
    const { headers, ended, disturbed } = view.streams.get(stream) ?? {};
    return headers !== undefined || ended !== undefined || disturbed === true || view.stop !== undefined
      ? 'dropped'
      : 'violated';
  },
});

/** A stream that ends after a shorter silence may have ended for another reason (ms). */
const idle = 5000;

const keepsSilent = deadline<StreamWait, GatewayView>({
  requirement: 'FOLD-G44',
  begins(event, view) {
    const { agentStream: stream } = view;
    if (stream === undefined || event.kind !== 'message') return undefined;
    const starts =
      event.from !== 'target' ? stream.session.phase === 'ready' : event.data['welcome'] !== undefined;
    if (!starts) return undefined;
    const expected = 'a silent agent to be kept';
    return { ...momentOf(event), key: stream.id, stream: stream.id, expected };
  },
  settles(wait, event, view) {
    if (!endsStream(event, wait.stream)) return undefined;
    const stream = view.streams.get(wait.stream);
    if (stream === undefined || !endsByTarget(event) || mayEnd(view, stream)) return 'dropped';
    if (otherReason(view, stream, event.at)) return 'dropped';
    return { came: `${endText(event)} after ${Math.round(event.at - wait.at)} ms of silence` };
  },
  within: (view) => view.timeouts.silence,
  overdue({ stream }, view) {
    const silent = view.streams.get(stream);
    return silent !== undefined && isLive(silent) ? 'exercised' : 'dropped';
  },
});

/** Whether the target may have ended a silent agent's stream for another reason. */
function otherReason(view: GatewayView, stream: StreamView, at: number): boolean {
  if (at - stream.last.at < idle) return true;
  const { provoked } = stream;
  if (provoked !== undefined && at - provoked.at <= Math.max(idle, view.timeouts.late)) return true;
  const pinged = view.pings.get(stream.conn);
  return pinged !== undefined && (pinged.tooClose || at - pinged.at <= view.timeouts.late);
}

const saysShutdown = rule({
  requirement: 'FOLD-G45',
  listens: ['shutdown', 'end', 'reset'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { agentStream: stream } = view;
    const { stop } = view;
    if (stream === undefined || stop === undefined || event.from !== 'target' || !isLive(stream))
      return undefined;
    if ((stream.session.welcome?.seq ?? Infinity) > stop.seq) return undefined;
    // The agent may close the stream first.
    if (event.kind === 'message') return exercised(event);
    if (stream.session.shutdown !== undefined) return undefined;
    return violated(event, `expected Shutdown before the stream is closed; came ${endText(event)}`, [
      stop.seq,
    ]);
  },
  end(_, view, last): Findings {
    const { stop } = view;
    if (stop === undefined || last.at - stop.at < view.timeouts.shutdown) return undefined;
    const found: Finding[] = [];
    for (const stream of view.streams.values()) {
      if (!isLive(stream) || (stream.session.welcome?.seq ?? Infinity) > stop.seq) continue;
      if (stream.session.shutdown !== undefined) continue;
      const ms = view.timeouts.shutdown;
      found.push(violated(last, `expected Shutdown within ${ms} ms of the stop; none came`, [stop.seq]));
    }
    return found;
  },
});

/** The most tokens that are kept. */
const tokensKept = 4096;

const ownToken = rule({
  requirement: 'FOLD-G53',
  listens: ['welcome'],
  start: () => new Map<string, { readonly seq: number; readonly stream: string }>(),
  step(seen, event, _view: GatewayView) {
    const token = serverMessage(event).welcome?.mcp_token ?? '';
    if (token === '') return undefined;
    const before = seen.get(token);
    if (before !== undefined && before.stream !== event.stream)
      return violated(
        event,
        'expected a new mcp_token for each connection; another connection had this one',
        [before.seq],
      );
    seen.set(token, { seq: event.seq, stream: event.stream });
    forgetOldest(seen, tokensKept);
    return seen.size > 1 ? exercised(event) : undefined;
  },
});

interface Ping extends StreamWait {
  readonly conn: string;
  /** Whether an earlier ping shows the interval. */
  readonly again: boolean;
}

/** A gateway must tolerate pings at this interval (ms). 50 ms are the tolerance for the clock. */
const pingGap = 10_000 - 50;

const bearsPings = deadline<Ping, GatewayView>({
  requirement: 'FOLD-G54',
  begins(event, view) {
    if (event.kind !== 'ping' || event.from === 'target' || event.from === 'kit') return undefined;
    const before = view.pings.get(event.conn);
    if (before !== undefined && (before.tooClose || event.at - before.at < pingGap)) return undefined;
    const { conn } = event;
    const expected = 'the connection to be kept, for its pings are at least 10 s apart';
    return { ...momentOf(event), key: conn, stream: '', expected, conn, again: before !== undefined };
  },
  settles(wait, event, view) {
    if (event.conn !== wait.conn || (event.kind !== 'end' && event.kind !== 'reset')) return undefined;
    const { stream } = view;
    if (stream?.kind !== 'agent' || !endsByTarget(event) || mayEnd(view, stream)) return 'dropped';
    const { provoked } = stream;
    const other = provoked !== undefined && event.at - provoked.at <= view.timeouts.late;
    return other || stream.last.seq > wait.seq ? 'dropped' : { came: endText(event) };
  },
  within: (view) => view.timeouts.late,
  overdue: ({ again }) => (again ? 'exercised' : 'dropped'),
});

export const connectionRules: readonly Rule<GatewayView>[] = [
  headersAtOnce,
  streamGoesOn('FOLD-G43'),
  reachesNobody('FOLD-G43'),
  keepsSilent,
  saysShutdown,
  ownToken,
  bearsPings,
];
