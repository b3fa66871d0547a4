/** The kit's provider behind a gateway: it plays a script, and may be noisy. */
import { isArray } from '../../../src/kit/base/index.ts';
import type { JsonObject, PeerCommand, Role } from '../../../src/kit/base/index.ts';
import { intercepted, peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { askedCodec, sentCodec } from '../../../src/llm/index.ts';
import type { Asked, Sent } from '../../../src/llm/index.ts';
import { providerRole } from '../client/target.ts';
import { noiseFrom } from './noise.ts';
import { reportsStalls } from './stalls.ts';
import { isUnreadable, unreadable } from './unreadable.ts';

/**
 * A provider that plays `script`. `noise_from`: the request from which on its answers have what no client knows, from 1.
 * `stalls`: it reports when it can write no more. `unreadable`: what comes instead of its answers.
 *
 * @throws WireproofError 'usage' for an invalid script
 */
export function gatewayProvider({
  noise_from: first,
  stalls,
  unreadable: kinds,
  ...options
}: JsonObject): MakePeer {
  const role = providerRole(options);
  if (typeof first === 'number') return hosted(intercepted(role, () => noiseFrom(first)));
  if (isArray(kinds)) return hosted(intercepted(role, () => unreadable(kinds.filter(isUnreadable))));
  return stalls === true ? hosted(intercepted(role, () => reportsStalls())) : hosted(role);
}

const hosted = <S>(role: Role<S, Asked, Sent, PeerCommand<Sent>>): MakePeer =>
  peerOf(role, askedCodec, sentCodec);
