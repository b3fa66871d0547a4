/** The server's side of a gRPC call with one request. */
import type { Result } from '../../kit/base/index.ts';
import { ignoredEvents } from '../../kit/world/index.ts';
import type { Link, LinkEvents } from '../../kit/world/index.ts';

const invalidArgument = 3;

/**
 * Reads the one request of a call and gives it to `then`. A request that `read` refuses, or none, ends the call.
 *
 * @param none the message of a call without a request
 */
export function receiveRequest<In>(
  link: Link,
  read: (bytes: Uint8Array) => Result<In, string>,
  none: string,
  then: (request: In) => void,
): LinkEvents {
  let received = false;
  return {
    ...ignoredEvents,
    message(bytes) {
      if (received) return;
      received = true;
      const request = read(bytes);
      if (request.ok) then(request.value);
      else link.close({ code: invalidArgument, message: request.error });
    },
    halfClose() {
      if (!received) link.close({ code: invalidArgument, message: none });
      received = true;
    },
  };
}
