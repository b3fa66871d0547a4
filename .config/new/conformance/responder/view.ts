/** The view that the rules of responders share: the pings without a pong, before the event at hand. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { Judging, Moment, RunView } from '../../../src/kit/judge/index.ts';
import { isSampleMessage } from '../../../src/sample/index.ts';

/** Times that rules go by, in milliseconds; each an option of the run. */
export interface Timeouts {
  /** From a ping to its pong. */
  readonly answer: number;
}

/** The numbers of spec/sample/README.md. */
export const defaultTimeouts: Timeouts = { answer: 5000 };

/** Everything before the event at hand. */
export interface SampleView extends RunView<Timeouts> {
  /** Pings without a pong, by {@link keyOf}. */
  readonly open: Map<string, Moment>;
  /** Whether a ping was forgotten because too many were open. */
  forgotten: boolean;
}

/** A ping and its pong have the same key. */
export const keyOf = ({ stream, data }: TraceEvent): string => `${stream} ${JSON.stringify(data['id'])}`;

/** Most open pings that are remembered. */
const openKept = 1024;

/** `target.` or `peer.` with a message's type; otherwise the event's kind. */
const topicOf = ({ kind, from, data }: TraceEvent): string =>
  kind === 'message' && isSampleMessage(data)
    ? `${from === 'target' ? 'target' : 'peer'}.${data.type}`
    : kind;

function step(view: SampleView, event: TraceEvent): void {
  const topic = topicOf(event);
  if (topic === 'mark') takeMark(view, event, defaultTimeouts);
  else if (topic === 'peer.ping') view.open.set(keyOf(event), momentOf(event));
  else if (topic === 'target.pong') view.open.delete(keyOf(event));
  view.forgotten ||= forgetOldest(view.open, openKept);
}

/** How a judge reads a trace for these rules. */
export const judging: Omit<Judging<SampleView>, 'rules'> = {
  topicOf,
  view: {
    start: () => ({
      drive: 'passive',
      timeouts: defaultTimeouts,
      late: 0,
      open: new Map(),
      forgotten: false,
    }),
    step,
  },
  forgot: ({ forgotten }) => (forgotten ? `more than ${openKept} pings were open at once` : undefined),
};
