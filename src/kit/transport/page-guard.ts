/**
 * Refuses requests that a web page of another site makes through its reader's browser. Such a page has a foreign Origin; or
 * its site's name was rebound to this machine, and the request has that name as its Host. Programs send no Origin, and pages
 * of this machine may call. One rule for every server of the kit.
 */
import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

/** The pages that may call a server. */
export interface PageRules {
  /** The address on which the server listens. */
  readonly host: string;
  /** Origins that may call, too, such as `https://app.example`; `*`: any. Their hosts may be the Host of requests. */
  readonly origins?: readonly string[] | undefined;
  /** More names of this machine that may be the Host of requests. */
  readonly hosts?: readonly string[] | undefined;
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

/** The reason why the page of a request may not call; undefined when it may, or when no page asks. */
export const foreignCaller = (headers: IncomingHttpHeaders, rules: PageRules): string | undefined =>
  foreignHost(headers, rules) ?? foreignPage(headers, rules);

/**
 * The reason why the Origin of a request may not call. Allowed are pages of this machine, of the server itself, and the given
 * origins. Origins of other schemes belong to programs, such as editors: a web page cannot have one.
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
  return `expected no Origin header, or the origin of a page on this machine; came ${shown(origin)}: pages of other sites may not call this`;
}

/** `name`, `name:port` or `[address]:port` (RFC 9110, 7.2). */
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/** Names below these ends are of a machine or of its network: nobody can own them on the internet (RFC 6761, RFC 6762). */
const privateEnds = ['.localhost', '.internal', '.local', '.test'];

/**
 * The reason why the Host of a request may not call: it names a site that somebody on the internet could own, and DNS can
 * rebind a name to this machine. DNS cannot rebind an address, nor a name without a dot.
 *
 * @example
 * foreignHost({ host: 'model:8080' }, { host: '0.0.0.0' }); // undefined
 */
export function foreignHost(
  { host = '' }: IncomingHttpHeaders,
  { host: own, origins = [], hosts = [] }: PageRules,
): string | undefined {
  // Only old programs send none.
  if (host === '' || origins.includes('*')) return undefined;
  const form = hostForm.exec(host)?.[1];
  const name = form === undefined ? undefined : bareHost(form).replace(/\.$/, '');
  if (name !== undefined && isPrivate(name)) return undefined;
  const allowed = [own, ...hosts, ...origins.map((origin) => hostOf(origin)?.name ?? '')].map(bareHost);
  if (name !== undefined && allowed.includes(name)) return undefined;
  return `expected a Host header that names this machine, such as an address; came ${shown(host)}, a name that a web site could have. Call the address instead, or allow that host (--allow-origin http://${name ?? 'HOST'})`;
}

const isPrivate = (name: string): boolean =>
  isIP(name) !== 0 || !name.includes('.') || privateEnds.some((end) => name.endsWith(end));

/** The longest text of a request that a refusal repeats (UTF-16 units). */
const longest = 200;

const shown = (text: string): string => JSON.stringify(text.slice(0, longest));

/** The host of a web origin; undefined for an origin of another scheme. */
function hostOf(origin: string): { readonly name: string; readonly authority: string } | undefined {
  const [, authority = ''] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  if (authority === '') return undefined;
  return { authority: authority.toLowerCase(), name: bareHost(authority.replace(/:\d+$/, '')) };
}
