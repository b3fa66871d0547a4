/** The parts of spec/sep/feeds.openapi.yaml that both ends of a feed server share. */

/** The largest body of a request (bytes). */
export const mostRequest: number = 64 << 10;

/** The largest answer (bytes). */
export const mostAnswer: number = 1 << 20;

/** The path of a feed below the base URL; undefined for an id that no URL can carry. */
export function feedPath(id: string): string | undefined {
  // URLs remove the segments `.` and `..`, also when they are percent-encoded (WHATWG URL, 4.1).
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) return undefined;
  return `/feeds/${encodeURIComponent(id)}`;
}

/** The id in a path; undefined for a wrong encoding. */
export function feedId(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Whether a text can be a bearer token: visible ASCII (RFC 9110, 5.5). */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
