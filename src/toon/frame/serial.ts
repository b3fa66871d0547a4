/** Sequence ids: 32 bits that wrap to 0, compared as serial numbers; and what the next one tells about a sender. */

/**
 * The id after this one; 0 after 4294967295 (TOON-31).
 *
 * @example
 * nextSequenceId(4294967295); // 0
 */
export const nextSequenceId = (sequenceId: number): number => (sequenceId + 1) >>> 0;

/**
 * Compares two ids over the wrap, after RFC 1982: negative when `a` came before `b`, 0 when they are the same, positive
 * when `a` came after `b`. Half the circle apart neither comes before the other, and the answer means nothing.
 *
 * @example
 * serialCompare(4294967295, 0); // -1
 * serialCompare(7, 3); // 4
 */
export const serialCompare = (a: number, b: number): number => (a - b) | 0;

/** Ids that never came, from the first to the last of them. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/** What is known of one sender on one connection. */
export interface SequenceState {
  /** The oldest id that counts as seen; undefined before the first message. */
  readonly first: number | undefined;
  /** The id that is furthest on. */
  readonly last: number | undefined;
  /** What is missing in between, oldest first; bounded: the oldest are forgotten, as if they had come. */
  readonly gaps: readonly Gap[];
}

/** Nothing has come. */
export const startSequence: SequenceState = { first: undefined, last: undefined, gaps: [] };

/**
 * What an id is after those before it: the `first`, the `next`, one after a `gap`, a `duplicate` of one that came, or
 * one `reordered`: that was missing, or is older than the first.
 */
export type SequenceKind = 'first' | 'next' | 'gap' | 'duplicate' | 'reordered';

/** An id put in its place. */
export interface Tracked {
  readonly state: SequenceState;
  readonly kind: SequenceKind;
  /** Of a gap: how many ids are missing. */
  readonly missing?: number;
}

const MOST_GAPS = 32;
const FURTHEST_BACK = 0x4000_0000;

/**
 * Takes the next id of a sender (TOON-33). Pure: the state that was given stays as it is.
 *
 * @example
 * const { state } = track(startSequence, 4294967295);
 * track(state, 0).kind; // 'next'
 * track(state, 2).kind; // 'gap'
 */
export function track(state: SequenceState, sequenceId: number): Tracked {
  const { first, last, gaps } = state;
  if (first === undefined || last === undefined)
    return { state: { first: sequenceId, last: sequenceId, gaps }, kind: 'first' };
  const ahead = serialCompare(sequenceId, last);
  if (ahead <= 0) return trackOld(state, first, sequenceId);
  const moved = { first: forget(first, sequenceId), last: sequenceId };
  if (ahead === 1) return { state: { ...moved, gaps }, kind: 'next' };
  const gap = { from: nextSequenceId(last), to: (sequenceId - 1) >>> 0 };
  return {
    state: { ...moved, gaps: [...gaps, gap].slice(-MOST_GAPS) },
    kind: 'gap',
    missing: ahead - 1,
  };
}

/** What lies too far back to compare is forgotten: serial numbers order half a circle only. */
const forget = (first: number, last: number): number =>
  (last - first) >>> 0 > FURTHEST_BACK ? (last - FURTHEST_BACK) >>> 0 : first;

function trackOld(state: SequenceState, first: number, sequenceId: number): Tracked {
  const within = ({ from, to }: Gap): boolean =>
    serialCompare(sequenceId, from) >= 0 && serialCompare(sequenceId, to) <= 0;
  if (!state.gaps.some(within))
    return { state, kind: serialCompare(sequenceId, first) < 0 ? 'reordered' : 'duplicate' };
  const gaps = state.gaps.flatMap((gap) => (within(gap) ? without(gap, sequenceId) : [gap]));
  return { state: { ...state, gaps }, kind: 'reordered' };
}

/** What is left of a gap on both sides of an id. */
const without = ({ from, to }: Gap, sequenceId: number): Gap[] => [
  ...(sequenceId === from ? [] : [{ from, to: (sequenceId - 1) >>> 0 }]),
  ...(sequenceId === to ? [] : [{ from: nextSequenceId(sequenceId), to }]),
];
