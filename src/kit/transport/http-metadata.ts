/** Converts HTTP headers to the kit's metadata, and back. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Metadata } from '../base/index.ts';

/** Headers as metadata; the values of a repeated header are joined by a comma (RFC 9110, 5.3). */
export function plainHeaders(headers: IncomingHttpHeaders): Metadata {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  return plain;
}

/** Separates the pseudo-headers (`:status` and so on) from the headers. */
export function split(metadata: Metadata): {
  readonly status: number;
  readonly headers: Record<string, string>;
} {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) if (!name.startsWith(':')) headers[name] = value;
  return { status: Number(metadata[':status'] ?? 200), headers };
}

/**
 * The path and query of a request, or `*`; undefined for a target of another form. A server must take the whole URL of a
 * request, too (RFC 9112, 3.2.2).
 *
 * @example
 * targetOf({ url: 'http://host:80/path?a=b' }); // '/path?a=b'
 */
export function targetOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string | undefined {
  if (url.startsWith('/') || url === '*') return url;
  const path = /^https?:\/\/[^/?#]+([^#]*)/i.exec(url)?.[1];
  return path === undefined ? undefined : path.startsWith('/') ? path : `/${path}`;
}
