/** The paths of all dialects on one port. */
import type { Metadata } from '../../kit/base/index.ts';

/** A path that is served. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** A `*` at the end stands for one more part of the path. */
  readonly path: string;
  /** Only requests with this header field. */
  readonly header?: string;
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

/** The route of a request; else the method that its path wants, or undefined for an unknown path. */
export function routeOf<R extends Route>(
  routes: readonly R[],
  asking: Asking,
): R | { allow: string } | undefined {
  const path = pathOf(asking.target);
  const here = routes.filter(
    (route) =>
      (route.path === path || (route.path.endsWith('/*') && isChild(path, route.path.slice(0, -1)))) &&
      (route.header === undefined || route.header in asking.headers),
  );
  const method = asking.method === 'HEAD' ? 'GET' : asking.method;
  const [first] = here;
  return here.find((route) => route.method === method) ?? (first && { allow: first.method });
}

const isChild = (path: string, parent: string): boolean =>
  path.startsWith(parent) && /^[^/]+$/.test(path.slice(parent.length));
