/** Gateways with habits that the documents allow. Nothing blames them. Their ids and titles: spec/llm/lawful/gateway.yaml. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { gatewayPeer } from '../target.ts';
import { errorOddities, retryOddities } from './errors.ts';
import { framingOddities, nameOddities } from './framing.ts';
import { lackedBy } from './pairs.ts';
import { requestOddities } from './requests.ts';
import { callOddities, textOddities } from './texts.ts';
import { usageOddities } from './usage.ts';

const habits: () => readonly LawfulPeer[] = lawfulOf<GatewayParts>(
  'llm/gateway',
  [
    textOddities,
    callOddities,
    framingOddities,
    nameOddities,
    usageOddities,
    requestOddities,
    errorOddities,
    retryOddities,
  ],
  (parts) => (options) => gatewayPeer({ parts }, options),
);

/** The lawful peers, each with the pairs that it is not played on. */
export const gatewayLawful = (): readonly LawfulPeer[] =>
  habits().map((peer) => ({ ...peer, lacks: lackedBy(peer.id) }));
