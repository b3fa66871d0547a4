/** Translates the gRPC status codes of operator calls to HTTP statuses, and back. */

/** HTTP statuses and their codes. The first row of a code is its HTTP status; other gateways send the later rows. */
const rows: readonly (readonly [status: number, code: number])[] = [
  [400, 3],
  [401, 16],
  [403, 7],
  [404, 5],
  [409, 9],
  [429, 8],
  [500, 13],
  [501, 12],
  [503, 14],
  [405, 12],
  [413, 8],
  [422, 3],
  [502, 14],
];

/**
 * The HTTP status of a call that ended with this code; 500 for codes without a row.
 *
 * @example
 * httpOf(14); // 503
 */
export const httpOf = (code: number): number =>
  code === 0 ? 200 : (rows.find((row) => row[1] === code)?.[0] ?? 500);

/**
 * The code of a call with this HTTP status; 2 (UNKNOWN) for other statuses.
 *
 * @example
 * codeOf(404); // 5
 */
export function codeOf(status: number): number {
  if (status >= 200 && status < 300) return 0;
  return status === 504 ? 4 : (rows.find((row) => row[0] === status)?.[1] ?? 2);
}
