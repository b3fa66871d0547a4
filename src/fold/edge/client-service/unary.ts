/** The server's side of a call of one request, on a link; and what reading answers needs. */
import { isObject } from '../../../kit/base/index.ts';
import type { Link, LinkEvents } from '../../../kit/world/index.ts';
import type { Method } from './protobuf.ts';

/** Ends an answered call of one answer. */
export function give<Out>(link: Link, { answer }: Method<unknown, Out>, message: Out): void {
  link.headers({});
  link.send(answer.encode(message));
  link.close({ code: 0, message: '' });
}

/** A text of an answer; empty when it is absent or none. */
export const textOf = (data: unknown, key: string): string => {
  const value = isObject(data) ? data[key] : undefined;
  return typeof value === 'string' ? value : '';
};

/** Hears the one request of a call. */
export function hear<In>(
  link: Link,
  { request, path }: Method<In, unknown>,
  then: (request: In) => void,
): LinkEvents {
  let heard = false;
  return {
    ...silent,
    message(bytes) {
      if (heard) return;
      heard = true;
      const decoded = request.decode(bytes);
      if (decoded.ok) return then(decoded.value.message);
      link.close({ code: 3, message: `${path}: ${decoded.error.message}` });
    },
    halfClose() {
      if (heard) return;
      heard = true;
      link.close({ code: 3, message: `${path}: expected one request; came none` });
    },
  };
}

/** Hears nothing. */
export const silent: LinkEvents = {
  headers: () => {},
  message: () => {},
  halfClose: () => {},
  ended: () => {},
  drained: () => {},
  ping: () => {},
};
