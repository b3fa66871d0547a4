/** The URL of a path. */

/**
 * A dialect's path on a base URL, whether or not that ends in the path's first part.
 *
 * @example
 * joinUrl('http://127.0.0.1:1234/v1', '/v1/messages'); // 'http://127.0.0.1:1234/v1/messages'
 */
export function joinUrl(base: string, path: string): string {
  const bare = base.replace(/\/+$/, '');
  const first = /^\/[^/]+/.exec(path)?.[0] ?? '';
  return first !== '' && bare.endsWith(first) ? bare + path.slice(first.length) : bare + path;
}
