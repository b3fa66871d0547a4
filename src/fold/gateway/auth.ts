/**
 * Who opens a stream: SSH headers or a bearer token, the window, single-use nonces, and where a principal stands
 * (spec/fold/README.md, "Carrier"). Signatures are checked by functions that the options give.
 */
import { ok, refuse } from '../../kit/base/index.ts';
import type { Metadata, Result, Status } from '../../kit/base/index.ts';
import { code, gatewayLimits } from './options.ts';
import type { GatewayAuth } from './options.ts';
import type { StepOutputs } from './state.ts';

/** How far a timestamp may lie behind and ahead (ms): −5 min/+1 min. */
const behind = 300_000;
const ahead = 60_000;

type Principal = Result<string, Status>;

const unauthenticated = (message: string): Principal => refuse({ code: code.unauthenticated, message });

/** The principal of a stream, by its metadata; or the status to refuse it with. */
export function authenticate(pen: StepOutputs, metadata: Metadata): Principal {
  const { auth } = pen.settings;
  if (auth === undefined) return ok('anonymous');
  // Any SSH header selects SSH.
  const ssh = Object.keys(metadata).some((key) => key.startsWith('x-ssh-'));
  const proven = ssh ? bySsh(pen, auth, metadata) : byToken(pen, auth, metadata['authorization'] ?? '');
  return proven.ok ? approved(auth, proven.value, ssh) : proven;
}

function byToken(pen: StepOutputs, { jwt }: GatewayAuth, authorization: string): Principal {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) return unauthenticated('expected authorization: Bearer, or x-ssh- headers');
  const claims = orNothing(() => jwt?.(token));
  if (claims === undefined || claims.sub === '') return unauthenticated('the token is not valid here');
  if (claims.exp !== undefined && claims.exp * 1000 <= pen.unix)
    return unauthenticated('the token has expired');
  return ok(claims.sub);
}

function bySsh(pen: StepOutputs, { ssh }: GatewayAuth, metadata: Metadata): Principal {
  const [key = '', stamp = '', nonce = '', signature = ''] = [
    'pubkey',
    'timestamp',
    'nonce',
    'signature',
  ].map((name) => metadata[`x-ssh-${name}`]);
  const name = keyName(key);
  if (name === '' || signature === '' || !/^\d{1,12}$/.test(stamp) || !isNonce(nonce))
    return unauthenticated('expected x-ssh-pubkey, -timestamp (Unix s), -nonce and -signature');
  const age = pen.unix - Number(stamp) * 1000;
  if (age > behind || age < -ahead)
    return unauthenticated(`timestamp ${stamp} is outside −5 min/+1 min; check the clock`);
  const { nonces } = pen.state;
  forgetNonces(nonces, pen.unix);
  if (nonces.has(nonce)) return unauthenticated('this nonce was used; take a fresh one for each stream');
  if (orNothing(() => ssh?.(key, `${stamp}|${nonce}`, signature)) !== true)
    return unauthenticated('the signature is not valid here');
  // To forget a nonce in its window would let its credentials in again: rather let nobody in.
  if (nonces.size >= gatewayLimits.nonces)
    return refuse({ code: code.exhausted, message: 'too many streams by SSH; try again in some minutes' });
  nonces.set(nonce, pen.unix);
  return ok(name);
}

const isNonce = (nonce: string): boolean => nonce !== '' && nonce.length <= gatewayLimits.name;

/** A key's type and base64: its comment is not signed, so it is nobody's name. */
const keyName = (line: string): string => /^\s*(\S+\s+\S+)/.exec(line)?.[1]?.replace(/\s+/, ' ') ?? '';

/** Forgets nonces whose timestamp is out of the window by now, however far ahead it was. */
function forgetNonces(nonces: Map<string, number>, unix: number): void {
  for (const [nonce, came] of nonces) {
    if (unix - came <= behind + ahead) return;
    nonces.delete(nonce);
  }
}

/** Whether a principal may come in. Who wrote down a key may have written its comment too. */
function approved({ principals, others }: GatewayAuth, name: string, isKey: boolean): Principal {
  if (principals === undefined) return ok(name);
  const written = isKey ? Object.keys(principals).find((line) => keyName(line) === name) : name;
  const known = written !== undefined && Object.hasOwn(principals, written);
  const standing = known ? principals[written] : others;
  if (standing === 'approved') return ok(name);
  return refuse({ code: code.denied, message: `principal is ${standing ?? 'not approved'}` });
}

/** What a function of the options gives; nothing when it throws over what a stranger sent. */
function orNothing<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}
