/** Reference gateways with one fault each. Their ids and titles: spec/llm/mutants/gateway.yaml. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { gatewayPeer } from '../target.ts';
import { attemptFaults } from './attempts.ts';
import { callFaults } from './calls.ts';
import { contentFaults } from './content.ts';
import { endFaults } from './ends.ts';
import { failureFaults } from './failures.ts';
import { keyFaults } from './keys.ts';
import { requestFaults } from './requests.ts';
import { wireFaults } from './wire.ts';

export const gatewayMutants: () => readonly Mutant[] = mutantsOf<GatewayParts>(
  'llm/gateway',
  [contentFaults, callFaults, endFaults, failureFaults, attemptFaults, keyFaults, requestFaults, wireFaults],
  (parts) => (options) => gatewayPeer({ parts }, options),
);
