/** Whole answers of HTTP, and the reports of their requests. */
import type { Json, JsonObject, Metadata } from '../../kit/base/index.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { Outputs } from './exchange.ts';
import { reportRequest } from './reports.ts';
import type { Link } from './state.ts';

/** Reports a request on HTTP. */
export const report = (peer: string, { method, target }: Link, detail: JsonObject, out: Outputs): void =>
  reportRequest({ exchange: peer, method, path: target, ...detail }, out);

/** Sends a whole answer, or the first half of its body where it breaks off. @returns the bytes of the body */
export function respond(
  peer: string,
  { status, headers, body }: { readonly status: number; readonly headers?: Metadata; readonly body: Json },
  out: Outputs,
  complete = true,
): number {
  const whole = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const bytes = complete ? whole : whole.subarray(0, whole.length >> 1);
  const metadata = {
    ':status': String(status),
    ...(complete && { 'content-length': String(bytes.length) }),
    'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    ...headers,
  };
  out.push({ type: 'headers', peer, metadata });
  out.push({ type: 'send', peer, message: new ResponseWrite(bytes, complete ? { data: body } : undefined) });
  if (complete) out.push({ type: 'close', peer, status: { code: 0, message: '' } });
  return bytes.length;
}
