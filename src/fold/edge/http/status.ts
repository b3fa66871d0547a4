/** Translates the gRPC status codes of operator calls to HTTP statuses, and back. */

/** The HTTP statuses of codes. Every other failure is a 500. */
const statuses: { readonly [code: number]: number } = {
  3: 400,
  5: 404,
  7: 403,
  8: 429,
  9: 409,
  12: 501,
  14: 503,
  16: 401,
};

/** The codes of HTTP statuses, including statuses that only other gateways use. */
const codes: { readonly [status: number]: number } = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  405: 12,
  409: 9,
  413: 8,
  422: 3,
  429: 8,
  500: 13,
  501: 12,
  502: 14,
  503: 14,
  504: 4,
};

/**
 * The HTTP status of a call that ended with this code.
 *
 * @example
 * httpOf(14); // 503
 */
export const httpOf = (code: number): number => (code === 0 ? 200 : (statuses[code] ?? 500));

/**
 * The code of a call with this HTTP status; 2 (UNKNOWN) for other statuses.
 *
 * @example
 * codeOf(404); // 5
 */
export const codeOf = (status: number): number => (status >= 200 && status < 300 ? 0 : (codes[status] ?? 2));
