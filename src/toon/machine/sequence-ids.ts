/** Sequence ids: 32-bit numbers that wrap to 0. They are compared as serial numbers, and each sender's are tracked. */

/**
 * The id after this one; 0 after 4294967295 (TOON-31).
 *
 * @example
 * nextSequenceId(4294967295); // 0
 */
export const nextSequenceId = (sequenceId: number): number => (sequenceId + 1) >>> 0;

/**
 * Compares two ids across the wrap, as RFC 1982 does: negative when `a` is before `b`, 0 when they are equal, positive
 * when `a` is after `b`. The result has no meaning for two ids that are exactly 2^31 apart.
 *
 * @example
 * serialCompare(4294967295, 0); // -1
 * serialCompare(7, 3); // 4
 */
export const serialCompare = (a: number, b: number): number => (a - b) | 0;

/** A range of missing ids, both ends included. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The sequence ids of one sender on one connection. */
export interface SequenceState {
  /** The oldest id that counts as seen; undefined before the first message. */
  readonly first: number | undefined;
  /** The highest id, in serial order. */
  readonly last: number | undefined;
  /** The ids that are missing between them, oldest first. The list is bounded: a forgotten gap counts as received. */
  readonly gaps: readonly Gap[];
}

/** The state before the first message. */
export const noSequence: SequenceState = { first: undefined, last: undefined, gaps: [] };

/**
 * How an id relates to the earlier ones: the `first`, the `next`, one after a `gap`, a `duplicate` of an earlier one, or
 * `reordered`: it was missing, or it is older than the first.
 */
export type SequenceKind = 'first' | 'next' | 'gap' | 'duplicate' | 'reordered';

/** The result of tracking an id. */
export interface Tracked {
  readonly state: SequenceState;
  readonly kind: SequenceKind;
  /** The number of missing ids in a new gap. */
  readonly missing?: number;
}

const maxGaps = 32;
/** Older ids are forgotten: serial numbers can order only half of the circle. */
const maxDistance = 0x4000_0000;

/**
 * Takes the next id of a sender (TOON-33). It does not change the given state.
 *
 * @example
 * const { state } = track(noSequence, 4294967295);
 * track(state, 0).kind; // 'next'
 * track(state, 2).kind; // 'gap'
 */
export function track(state: SequenceState, sequenceId: number): Tracked {
  const { first, last, gaps } = state;
  if (first === undefined || last === undefined)
    return { state: { first: sequenceId, last: sequenceId, gaps }, kind: 'first' };
  const ahead = serialCompare(sequenceId, last);
  if (ahead <= 0) return trackEarlier(state, first, sequenceId);
  const isFar = (sequenceId - first) >>> 0 > maxDistance;
  const moved = { first: isFar ? (sequenceId - maxDistance) >>> 0 : first, last: sequenceId };
  if (ahead === 1) return { state: { ...moved, gaps }, kind: 'next' };
  const gap = { from: nextSequenceId(last), to: (sequenceId - 1) >>> 0 };
  return { state: { ...moved, gaps: [...gaps, gap].slice(-maxGaps) }, kind: 'gap', missing: ahead - 1 };
}

function trackEarlier(state: SequenceState, first: number, sequenceId: number): Tracked {
  const within = ({ from, to }: Gap): boolean =>
    serialCompare(sequenceId, from) >= 0 && serialCompare(sequenceId, to) <= 0;
  if (!state.gaps.some(within))
    return { state, kind: serialCompare(sequenceId, first) < 0 ? 'reordered' : 'duplicate' };
  const gaps = state.gaps.flatMap((gap) => (within(gap) ? without(gap, sequenceId) : [gap]));
  return { state: { ...state, gaps }, kind: 'reordered' };
}

/** The rest of a gap after an id in it has come. */
const without = ({ from, to }: Gap, sequenceId: number): Gap[] => [
  ...(sequenceId === from ? [] : [{ from, to: (sequenceId - 1) >>> 0 }]),
  ...(sequenceId === to ? [] : [{ from: nextSequenceId(sequenceId), to }]),
];
