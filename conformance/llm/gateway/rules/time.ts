/**
 * The rules about time: an answer comes (LLM-G01), streaming stays streaming (LLM-G22), a silent provider is given up (G34), a
 * client that leaves ends its request (G35 to G38), and attempts end (G42).
 */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, undelayed } from '../../../../src/kit/judge/index.ts';
import type { Rule, Wait } from '../../../../src/kit/judge/index.ts';
import { asksForStream } from '../checks/answered.ts';
import { mayBeTriedAgain } from '../checks/attempts.ts';
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
    if (above === undefined || above.ended !== undefined) return undefined;
    if (!asksForStream(above) || !below.sent.streamed) return undefined;
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
    const goesOn = below.sent.second === undefined && below.sent.end === undefined && !below.disturbed;
    return goesOn && !isOver ? undefined : 'dropped';
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
  // Attempts that follow each other have more time: LLM-G42.
  overdue: ({ above }) =>
    above.below.some((one) => isOpen(one) || mayBeTriedAgain(one)) ? 'dropped' : 'violated',
  within: ({ timeouts }) => timeouts.step,
});

const isOpen = ({ sent, ended }: Below): boolean => !sent.over && ended === undefined;

/** LLM-G42: attempts end. */
const attemptsEnd: Rule<GatewayView> = deadline<Wait & { readonly above: Above }, GatewayView>({
  requirement: 'LLM-G42',
  listens: ['below.end', 'below.reset', 'above.end', 'above.reset'],
  begins(event, view) {
    const below = view.below.get(event.stream);
    const above = below === undefined ? undefined : ownerOf(view, below);
    if (above === undefined || above.below[0] !== below || above.ended !== undefined) return undefined;
    return { key: above.id, seq: event.seq, at: event.at, expected: 'an end of the attempts', above };
  },
  settles: ({ above }, event) => (event.stream === above.id ? 'dropped' : undefined),
  overdue: ({ above }) => (above.below.every(mayBeTriedAgain) ? 'violated' : 'dropped'),
  within: ({ timeouts }) => timeouts.tries,
});

/** LLM-G34: a provider that says nothing is given up. */
const givesUp: Rule<GatewayView> = deadline<SideWait, GatewayView>({
  requirement: 'LLM-G34',
  listens: [
    'below.half_close',
    'below.headers',
    'below.message',
    'below.end',
    'below.reset',
    'above.end',
    'above.reset',
  ],
  begins(event, view) {
    const below = view.below.get(event.stream);
    const above = below === undefined ? undefined : ownerOf(view, below);
    if (above === undefined || below === undefined || event.kind === 'end' || event.kind === 'reset')
      return undefined;
    if (above.about.claims.givesUp !== true || below.sent.over || above.ended !== undefined) return undefined;
    const expected = 'an error for a provider that says nothing';
    return { key: below.id, seq: event.seq, at: event.at, expected, above, below };
  },
  settles({ above, below }, event) {
    // Then the client has to hear of it, or another attempt follows.
    if (event.stream === below.id) return event.from === 'target' ? 'again' : 'dropped';
    // The wait for another attempt begins with its request.
    if (above.below.some(({ id }) => id === event.stream)) return 'dropped';
    if (event.stream !== above.id) return undefined;
    // An end in good order is judged by LLM-G25.
    return event.from === 'target' ? 'exercised' : 'dropped';
  },
  within: ({ timeouts }) => timeouts.stalled,
});

/** How a client left: before the first piece of a stream, in the middle of it, or while it waited for a body. */
const leaving = (above: Above): string => {
  if (!asksForStream(above)) return 'LLM-G37';
  return above.heard.began === undefined ? 'LLM-G35' : 'LLM-G36';
};

/** Whether the event is a client's leaving. */
const leaves = ({ kind, from }: TraceEvent): boolean =>
  from !== 'target' && (kind === 'end' || kind === 'reset');

/** The provider's exchanges that are open when a client leaves. */
function leftOpen(event: TraceEvent, view: GatewayView): readonly Omit<SideWait, 'expected'>[] {
  const above = view.above.get(event.stream);
  if (above === undefined || !leaves(event) || above.heard.over || above.ended !== undefined) return [];
  return above.below
    .filter(isOpen)
    .map((below) => ({ key: below.id, seq: event.seq, at: event.at, above, below }));
}

const letsGo = (requirement: string): Rule<GatewayView> =>
  deadline<SideWait, GatewayView>({
    requirement,
    listens: ['above.end', 'above.reset', 'below.end', 'below.reset'],
    begins: (event, view) =>
      leftOpen(event, view)
        .filter(({ above }) => leaving(above) === requirement && above.about.claims.drain === undefined)
        .map((wait) => ({ ...wait, expected: 'the end of the request to the provider' })),
    settles: ({ below }, event) =>
      event.stream === below.id ? (event.from === 'target' ? 'exercised' : 'dropped') : undefined,
    within: ({ timeouts }) => timeouts.leave,
  });

/** LLM-G38: a client has left, and its requests have ended. What is asked for it nevertheless is in `furtherAttempt`. */
const asksNoMore: Rule<GatewayView> = deadline<Wait & { readonly above: Above }, GatewayView>({
  requirement: 'LLM-G38',
  listens: ['above.end', 'above.reset'],
  begins(event, view) {
    const above = view.above.get(event.stream);
    const leavesNow = above !== undefined && leaves(event) && !above.heard.over && above.ended === undefined;
    if (!leavesNow || above.below.length === 0) return undefined;
    return { key: above.id, seq: event.seq, at: event.at, expected: 'no further request', above };
  },
  settles: () => undefined,
  overdue: ({ above }) => (above.below.every(({ ended }) => ended !== undefined) ? 'exercised' : 'dropped'),
  // It blames nothing, so that a busy machine needs no longer wait.
  within: (view) => undelayed(view.timeouts.leave, view),
});

/** LLM-G38: the provider's request ends within the claimed time. */
const drains: Rule<GatewayView> = deadline<SideWait, GatewayView>({
  requirement: 'LLM-G38',
  listens: ['above.end', 'above.reset', 'below.end', 'below.reset'],
  begins: (event, view) =>
    leftOpen(event, view)
      .filter(({ above }) => above.about.claims.drain !== undefined)
      .map((wait) => ({ ...wait, expected: 'the end of the request to the provider' })),
  settles: ({ below }, event) => (event.stream === below.id ? 'exercised' : undefined),
  within: ({ late }, { above }) => (above.about.claims.drain ?? 0) + late,
});

export const timeRules: readonly Rule<GatewayView>[] = [
  answers,
  streams,
  attemptsEnd,
  givesUp,
  asksNoMore,
  drains,
  ...['LLM-G35', 'LLM-G36', 'LLM-G37'].map(letsGo),
];
