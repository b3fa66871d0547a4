/**
 * Refuses requests that a web page of another site makes through its reader's browser. Programs send no Origin, and pages
 * of this machine may call.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The pages that may call a server. */
export interface PageRules {
  /** The address on which the server listens. */
  readonly host: string;
  /** Origins that may call, too, such as `https://app.example`; `*`: any. */
  readonly origins?: readonly string[] | undefined;
}

/** A host in lower case, without the brackets of an IPv6 address. */
export const bareHost = (host: string): string => host.toLowerCase().replaceAll(/^\[|\]$/g, '');

/**
 * Whether a host name or address always means this machine.
 *
 * @example
 * isLoopback('[::1]'); // true
 */
export function isLoopback(host: string): boolean {
  const name = bareHost(host);
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name)
  );
}

/**
 * The reason why the page of a request may not call; undefined when it may, or when no page asks. Allowed are pages of this
 * machine, of the server itself, and the given origins. Origins of other schemes belong to programs, such as editors:
 * a web page cannot have one.
 *
 * @example
 * foreignPage({ origin: 'http://localhost:3000' }, { host: '127.0.0.1' }); // undefined
 */
export function foreignPage(
  { origin, host = '' }: IncomingHttpHeaders,
  { host: own, origins = [] }: PageRules,
): string | undefined {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return undefined;
  const page = hostOf(origin);
  if (page === undefined && origin !== 'null') return undefined;
  if (page !== undefined && isLoopback(page.name)) return undefined;
  // DNS can rebind the name of a site to this machine. Its pages then have the server's own Host.
  if (page !== undefined && page.authority === host.toLowerCase() && page.name === bareHost(own))
    return undefined;
  return `expected no Origin header, or the origin of a page on this machine; came ${JSON.stringify(origin)}: pages of other sites may not call this`;
}

/** The host of a web origin; undefined for an origin of another scheme. */
function hostOf(origin: string): { readonly name: string; readonly authority: string } | undefined {
  const [, authority = ''] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  if (authority === '') return undefined;
  return { authority: authority.toLowerCase(), name: bareHost(authority.replace(/:\d+$/, '')) };
}
