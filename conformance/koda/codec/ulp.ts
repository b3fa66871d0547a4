/** The distance of doubles. */

/** The tolerance of floats (KODA-13): serde_json's default parser can be that far off. In units in the last place. */
const tolerance = 2n;

/**
 * Whether two doubles are equal, or at most 2 ULP apart.
 *
 * @example
 * areNear(0.1 + 0.2, 0.3); // true
 * areNear(1, 1.000000000000001); // false
 */
export function areNear(a: number, b: number): boolean {
  if (a === b) return true;
  const distance = placeOf(a) - placeOf(b);
  return distance <= tolerance && distance >= -tolerance;
}

/** The place of a finite double among all doubles in order. */
function placeOf(value: number): bigint {
  const bits = new BigInt64Array(Float64Array.of(value).buffer)[0] ?? 0n;
  return bits >= 0n ? bits : -(bits & 0x7fff_ffff_ffff_ffffn);
}
