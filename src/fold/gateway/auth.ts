/**
 * Authenticates the opener of a stream: SSH headers or a bearer token, the timestamp window, single-use nonces, and
 * the principal's status (spec/fold/README.md, "Carrier"). Functions of the options check the signatures.
 */
import { ok, refuse } from '../../kit/base/index.ts';
import type { Metadata, Result, Status } from '../../kit/base/index.ts';
import { code, gatewayLimits } from './options.ts';
import type { GatewayAuth } from './options.ts';
import type { Outputs } from './step-outputs.ts';

/** The window of a timestamp around the clock (ms): −5 min/+1 min. */
const maxAge = 300_000;
const maxAhead = 60_000;

const sshHeaders = ['x-ssh-pubkey', 'x-ssh-timestamp', 'x-ssh-nonce', 'x-ssh-signature'];

/** The name of a principal, or the status that refuses it. */
type Principal = Result<string, Status>;

const unauthenticated = (message: string): Principal => refuse({ code: code.unauthenticated, message });

/** The principal of a stream, by its metadata; or the status that refuses the stream. */
export function authenticate(out: Outputs, metadata: Metadata): Principal {
  const { auth } = out.settings;
  if (auth === undefined) return ok('anonymous');
  // Any SSH header selects SSH.
  const ssh = Object.keys(metadata).some((key) => key.startsWith('x-ssh-'));
  const verified = ssh ? bySsh(out, auth, metadata) : byToken(out, auth, metadata['authorization'] ?? '');
  return verified.ok ? authorize(auth, verified.value, ssh) : verified;
}

function byToken(out: Outputs, { jwt }: GatewayAuth, authorization: string): Principal {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return unauthenticated('expected authorization: Bearer, or x-ssh- headers');
  const claims = undefinedOnError(() => jwt?.(token));
  if (claims === undefined || claims.sub === '') return unauthenticated('the token is not valid here');
  if (claims.exp !== undefined && claims.exp * 1000 <= out.unix)
    return unauthenticated('the token has expired');
  return ok(claims.sub);
}

function bySsh(out: Outputs, { ssh }: GatewayAuth, metadata: Metadata): Principal {
  const [key = '', stamp = '', nonce = '', signature = ''] = sshHeaders.map((name) => metadata[name]);
  const name = keyName(key);
  if (name === '' || signature === '' || !/^\d{1,12}$/.test(stamp) || !isNonce(nonce))
    return unauthenticated('expected x-ssh-pubkey, -timestamp (Unix s), -nonce and -signature');
  const age = out.unix - Number(stamp) * 1000;
  if (age > maxAge || age < -maxAhead)
    return unauthenticated(`timestamp ${stamp} is outside −5 min/+1 min; check the clock`);
  const { nonces } = out.state;
  forgetNonces(nonces, out.unix);
  if (nonces.has(nonce)) return unauthenticated('this nonce was used; take a fresh one for each stream');
  if (undefinedOnError(() => ssh?.(key, `${stamp}|${nonce}`, signature)) !== true)
    return unauthenticated('the signature is not valid here');
  // A forgotten nonce could be used again within its window. So a full table refuses every new stream.
  if (nonces.size >= gatewayLimits.nonces)
    return refuse({ code: code.exhausted, message: 'too many streams by SSH; try again in some minutes' });
  nonces.set(nonce, out.unix);
  return ok(name);
}

const isNonce = (nonce: string): boolean => nonce !== '' && nonce.length <= gatewayLimits.name;

/** The name of a key: its type and base64. Its comment is not signed, so it is not part of the name. */
export const keyName = (line: string): string => /^\s*(\S+\s+\S+)/.exec(line)?.[1]?.replace(/\s+/, ' ') ?? '';

/** Forgets nonces whose timestamps are out of the window by now, even those from the future. */
function forgetNonces(nonces: Map<string, number>, unix: number): void {
  for (const [nonce, came] of nonces) {
    if (unix - came <= maxAge + maxAhead) return;
    nonces.delete(nonce);
  }
}

/** Checks a principal's status. A key in the options may have a comment. */
function authorize({ principals, others }: GatewayAuth, name: string, isKey: boolean): Principal {
  if (principals === undefined) return ok(name);
  const listed = isKey ? Object.keys(principals).find((line) => keyName(line) === name) : name;
  const known = listed !== undefined && Object.hasOwn(principals, listed);
  const status = known ? principals[listed] : others;
  if (status === 'approved') return ok(name);
  return refuse({ code: code.denied, message: `principal is ${status ?? 'not approved'}` });
}

/** The result of a function of the options; undefined when it throws on a peer's input. */
function undefinedOnError<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}
