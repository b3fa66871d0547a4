/** Ends of operators' calls that the operator's set-up causes. They are never the gateway's answer. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { textOf } from './model.ts';

/** The texts with which drivers and gRPC libraries report a connection that failed. */
const transport =
  /no answer from the gateway|the connection was lost|the gateway ended the call without an answer|no connection established|connection dropped|failed to connect|name resolution failed|socket hang up|\bE(?:CONN|HOST|NET|PIPE|ADDR|AI_|PROTO)|\bENOTFOUND\b|\bETIMEDOUT\b|\bHTTP 50[24]\b/i;

const unavailable = 14;
/** The statuses that refuse the operator's own credentials: PERMISSION_DENIED and UNAUTHENTICATED. */
const refusals: ReadonlySet<unknown> = new Set([7, 16]);

/**
 * The reason why the end of an operator's call is not the gateway's answer to it; undefined for every other event. A
 * transport error says that the call did not arrive, a refusal of the credentials that it was not handled.
 */
export function setUpFault({ wire, kind, from, data }: TraceEvent): string | undefined {
  if (wire !== 'operator' || from !== 'target') return undefined;
  if (kind === 'reset') return "the connection of the operator's call broke";
  if (kind !== 'end') return undefined;
  const { code } = data;
  const whole = textOf(data['message']);
  const message = whole.slice(0, 120);
  if (refusals.has(code))
    return `the operator's credentials were refused: ${Number(code)} ${message}`.trimEnd();
  return code === unavailable && transport.test(whole)
    ? `the operator's call did not reach the gateway: ${message}`
    : undefined;
}
