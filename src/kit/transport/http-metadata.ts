/** Converts HTTP headers to the kit's metadata, and back. */
import type { IncomingHttpHeaders } from 'node:http';
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
