/** The caller's side of a gRPC call of one request and one answer, on a stream. */
import type { Metadata, Status } from '../../../kit/base/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import type { Method } from './protobuf.ts';
import { silent } from './unary.ts';
import { unsupported } from '../driver-link.ts';
import type { DriverCall } from '../driver-link.ts';

/** The answer, or the status the call ended with instead. */
export type CallAnswer<Out> = { readonly message: Out } | Status;

/** A status as the kit's caller is to see it: a method that is not there makes rows untestable. */
export const seen = (path: string, status: Status | undefined): Status =>
  status === undefined
    ? { code: 14, message: `${path}: the connection was lost` }
    : status.code === 12
      ? unsupported(`the gateway has no ${path}${status.message === '' ? '' : ` (${status.message})`}`)
      : status;

/** Makes a call of one answer. `done` is called once, unless it is aborted. */
export function unary<In, Out>(
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
      ...silent,
      message: (bytes) => void (first ??= bytes),
      ended(status) {
        if (over) return;
        over = true;
        done(status?.code === 0 ? read(first) : seen(path, status));
      },
    },
  );
  const read = (bytes: Uint8Array | undefined): CallAnswer<Out> => {
    if (bytes === undefined) return { code: 2, message: `${path}: expected an answer; came none` };
    const decoded = answer.decode(bytes);
    if (decoded.ok) return { message: decoded.value.message };
    return { code: 2, message: `${path}: ${decoded.error.message}` };
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
