/**
 * A value, or the reason why there is none. A fault of a peer is always a value of this kind, never an exception.
 *
 * @example
 * const r: Result<number, string> = ok(3);
 * if (r.ok) console.log(r.value); // 3
 */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** Wraps a value as a success. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** Wraps a reason as a refusal. */
export const refuse = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
