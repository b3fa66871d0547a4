/** The rules about time: an answer comes (LLM-G01), streaming stays streaming (LLM-G22), and a client that leaves ends its request (G35 to G37). */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline } from '../../../../src/kit/judge/index.ts';
import type { Rule, Wait } from '../../../../src/kit/judge/index.ts';
import { asksForStream } from '../checks/answered.ts';
import type { Above, Below } from '../exchanges.ts';
import type { GatewayView } from '../view.ts';

/** A wait for something about an exchange of each side. */
interface SideWait extends Wait {
  readonly above: Above;
  readonly below: Below;
}

/** The client's exchange of a provider's exchange. */
const ownerOf = ({ above }: GatewayView, below: Below): Above | undefined =>
  [...above.values()].findLast((one) => one.below.includes(below));

/** LLM-G22: the first piece of text is heard while the provider waits with its second. */
const streams: Rule<GatewayView> = deadline<SideWait, GatewayView>({
  requirement: 'LLM-G22',
  listens: ['below.message', 'below.end', 'below.reset', 'above.message', 'above.end', 'above.reset'],
  begins(event, view) {
    const below = view.below.get(event.stream);
    if (below?.sent.firstText?.seq !== event.seq) return undefined;
    const above = ownerOf(view, below);
    if (above === undefined || !asksForStream(above) || !below.sent.streamed) return undefined;
    return {
      key: below.id,
      seq: event.seq,
      at: event.at,
      expected: 'the first piece of the text above',
      above,
      below,
    };
  },
  settles({ above, below }, event) {
    if (above.heard.began !== undefined) return 'exercised';
    const isOver = event.stream === above.id && (event.kind === 'end' || event.kind === 'reset');
    return below.sent.second !== undefined || below.sent.end !== undefined || isOver ? 'dropped' : undefined;
  },
  within: ({ timeouts }) => timeouts.barrier,
});

/** LLM-G01: an answer comes at all, unless the provider is still at it. */
const answers: Rule<GatewayView> = deadline<Wait & { readonly above: Above }, GatewayView>({
  requirement: 'LLM-G01',
  listens: ['above.message', 'above.end', 'above.reset'],
  begins(event, view) {
    const above = view.above.get(event.stream);
    if (above === undefined || event.from === 'target' || above.ended !== undefined) return undefined;
    if (event.kind !== 'message') return undefined;
    return { key: above.id, seq: event.seq, at: event.at, expected: 'an answer', above };
  },
  settles: ({ above }, event) =>
    event.stream === above.id && event.kind !== 'message' ? 'dropped' : undefined,
  overdue: ({ above }) =>
    above.below.some(({ sent, ended }) => !sent.over && ended === undefined) ? 'dropped' : 'violated',
  within: ({ timeouts }) => timeouts.step,
});

/** How a client left: before the first piece of a stream, in the middle of it, or while it waited for a body. */
const leaving = (above: Above): string => {
  if (!asksForStream(above)) return 'LLM-G37';
  return above.heard.began === undefined ? 'LLM-G35' : 'LLM-G36';
};

/** Whether the event is a client's leaving. */
const leaves = ({ kind, from }: TraceEvent): boolean =>
  from !== 'target' && (kind === 'end' || kind === 'reset');

const letsGo = (requirement: string): Rule<GatewayView> =>
  deadline<SideWait, GatewayView>({
    requirement,
    listens: ['above.end', 'above.reset', 'below.end', 'below.reset'],
    begins(event, view) {
      const above = view.above.get(event.stream);
      if (above === undefined || !leaves(event) || above.heard.over || above.ended !== undefined)
        return undefined;
      if (leaving(above) !== requirement) return undefined;
      return above.below
        .filter(({ ended, sent }) => ended === undefined && !sent.over)
        .map((below) => ({
          key: below.id,
          seq: event.seq,
          at: event.at,
          expected: 'the end of the request to the provider',
          above,
          below,
        }));
    },
    settles: ({ below }, event) =>
      event.stream === below.id ? (event.from === 'target' ? 'exercised' : 'dropped') : undefined,
    within: ({ timeouts }) => timeouts.leave,
  });

export const timeRules: readonly Rule<GatewayView>[] = [
  answers,
  streams,
  ...['LLM-G35', 'LLM-G36', 'LLM-G37'].map(letsGo),
];
