/** Calls of ClientService with one request and one answer, from the server's and from the caller's side. */
import { ok, refuse } from '../../../kit/base/index.ts';
import type { Metadata, Status } from '../../../kit/base/index.ts';
import { ignoredEvents } from '../../../kit/world/index.ts';
import type { Dial, Link, LinkEvents } from '../../../kit/world/index.ts';
import type { Method } from './methods.ts';
import { receiveRequest } from '../receive-request.ts';
import { unsupported } from '../driver-link.ts';
import type { DriverCall } from '../driver-link.ts';

/** Sends the answer of a call and ends it. */
export function answerCall<Out>(link: Link, { answer }: Method<unknown, Out>, message: Out): void {
  link.headers({});
  link.send(answer.encode(message));
  link.close({ code: 0, message: '' });
}

/** Reads the request of a call and gives it to `then`. */
export const receiveCall = <In>(
  link: Link,
  { request, path }: Method<In, unknown>,
  then: (request: In) => void,
): LinkEvents =>
  receiveRequest(
    link,
    (bytes) => {
      const decoded = request.decode(bytes);
      return decoded.ok ? ok(decoded.value.message) : refuse(`${path}: ${decoded.error.message}`);
    },
    `${path}: expected one request; came none`,
    then,
  );

/** The answer, or the status that the call ended with instead. */
export type CallAnswer<Out> = { readonly message: Out } | Status;

/** The status for the kit's caller: a method that the gateway does not have is unsupported. */
export const statusOf = (path: string, status: Status | undefined): Status =>
  status === undefined
    ? { code: 14, message: `${path}: the connection was lost` }
    : status.code === 12
      ? unsupported(`the gateway has no ${path}${status.message === '' ? '' : ` (${status.message})`}`)
      : status;

/** Makes a call. `done` receives the answer, once, unless the call is aborted. */
export function call<In, Out>(
  dial: Dial,
  metadata: Metadata,
  { path, request, answer }: Method<In, Out>,
  message: In,
  done: (answer: CallAnswer<Out>) => void,
): DriverCall {
  let over = false;
  let first: Uint8Array | undefined;
  const link = dial(
    { metadata: { ...metadata, ':path': path } },
    {
      ...ignoredEvents,
      message: (bytes) => void (first ??= bytes),
      ended(status) {
        if (over) return;
        over = true;
        done(status?.code === 0 ? read(first) : statusOf(path, status));
      },
    },
  );
  const read = (bytes: Uint8Array | undefined): CallAnswer<Out> => {
    if (bytes === undefined) return { code: 2, message: `${path}: expected an answer; came none` };
    const decoded = answer.decode(bytes);
    return decoded.ok ? decoded.value : { code: 2, message: `${path}: ${decoded.error.message}` };
  };
  link.send(request.encode(message));
  link.halfClose();
  return {
    abort() {
      if (over) return;
      over = true;
      link.close({ code: 1, message: 'the operator left' });
    },
    pause: () => {},
    resume: () => {},
  };
}
