/** The paths of all dialects on one port. */
import type { Metadata } from '../../kit/base/index.ts';

/** A path that is served. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** A `*` at the end stands for one more part of the path. */
  readonly path: string;
  /** Only requests with this header field. */
  readonly header?: string;
  /** Other paths of the route. */
  readonly pattern?: RegExp;
  /** Only requests with such a query. */
  readonly query?: RegExp;
}

/** The parts of a request by which it is routed. */
export interface Asking {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Metadata;
}

/**
 * The path of a target: without query and slashes at the end.
 *
 * @example
 * pathOf('/v1/messages/?beta=true'); // '/v1/messages'
 */
export const pathOf = (target: string): string => target.replace(/[?#].*$/, '').replace(/(?<=.)\/+$/, '');

/**
 * The route of a request; else the method that its path wants, or undefined for an unknown path. A path with a prefix has
 * the route of its end, also without `/v1`: Azure's, `/openai/deployments/NAME/chat/completions`, and those of proxies.
 */
export function routeOf<R extends Route>(
  routes: readonly R[],
  asking: Asking,
): R | { allow: string } | undefined {
  const path = pathOf(asking.target);
  const known = routes.filter(
    ({ header, query }) =>
      (header === undefined || header in asking.headers) && query?.test(asking.target) !== false,
  );
  const exact = known.filter((route) => isAt(route, path));
  const here = exact.length > 0 ? exact : known.filter((route) => isAtEnd(route, path));
  const method = asking.method === 'HEAD' ? 'GET' : asking.method;
  const [first] = here;
  return here.find((route) => route.method === method) ?? (first && { allow: first.method });
}

const isAt = ({ path: route, pattern }: Route, path: string): boolean =>
  route === path ||
  (route.endsWith('/*') && isChild(path, route.slice(0, -1))) ||
  pattern?.test(path) === true;

/** Behind another version, such as `/v2`, a path is taken for a mistake. */
function isAtEnd({ path: route }: Route, path: string): boolean {
  if (route.length <= 1 || route.endsWith('*')) return false;
  const end = route.replace(/^\/v1(?=\/)/, '');
  return path.endsWith(end) && !/^\/v(?!1$)\d+$/.test(path.slice(0, -end.length));
}

const isChild = (path: string, parent: string): boolean =>
  path.startsWith(parent) && /^[^/]+$/.test(path.slice(parent.length));

/** A part of a path without its escapes; unchanged where they are no UTF-8. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
