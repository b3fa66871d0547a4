/** All mutants of the reference gateway, roughly in the order of the requirements that they break. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { gatewayWith } from './mutant.ts';
import { approvalFaults } from './approvals.ts';
import { cancellationFaults } from './cancellation.ts';
import { connectionFaults } from './connection.ts';
import { credentialFaults } from './credentials.ts';
import { deliveryFaults } from './deliveries.ts';
import { endFaults } from './ends.ts';
import { featureFaults } from './features.ts';
import { forwardingFaults } from './forwarding.ts';
import { injectionFaults } from './injection.ts';
import { lossFaults } from './losses.ts';
import { packAnswerFaults } from './pack-answers.ts';
import { packCallFaults, packTrafficFaults } from './pack-calls.ts';
import { packFaults } from './packs.ts';
import { refusalFaults } from './refusals.ts';
import { registrationFaults } from './registration.ts';
import { requestFaults } from './requests.ts';
import { signatureFaults } from './signatures.ts';
import { standingFaults } from './standing.ts';
import { lateFaults, strayFaults } from './strays.ts';
import { toolFaults } from './tools.ts';

/** Every mutant of the reference gateway. */
export const gatewayMutants: () => readonly Mutant[] = mutantsOf(
  'fold/gateway',
  [
    registrationFaults,
    refusalFaults,
    credentialFaults,
    signatureFaults,
    standingFaults,
    featureFaults,
    requestFaults,
    forwardingFaults,
    strayFaults,
    lossFaults,
    toolFaults,
    approvalFaults,
    injectionFaults,
    cancellationFaults,
    lateFaults,
    connectionFaults,
    packFaults,
    packCallFaults,
    packAnswerFaults,
    packTrafficFaults,
    deliveryFaults,
    endFaults,
  ],
  gatewayWith,
);
