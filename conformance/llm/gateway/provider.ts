/** The kit's provider behind a gateway: it plays a script, and may be noisy. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { intercepted, peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { askedCodec, sentCodec } from '../../../src/llm/index.ts';
import { providerRole } from '../client/target.ts';
import { noiseFrom } from './noise.ts';

/**
 * A provider that plays `script`. `noise_from`: the request from which on its answers have what no client knows, from 1.
 *
 * @throws WireproofError 'usage' for an invalid script
 */
export function gatewayProvider({ noise_from: first, ...options }: JsonObject): MakePeer {
  const role = providerRole(options);
  if (typeof first !== 'number') return peerOf(role, askedCodec, sentCodec);
  return peerOf(
    intercepted(role, () => noiseFrom(first)),
    askedCodec,
    sentCodec,
  );
}
