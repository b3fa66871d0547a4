/** All mutants of the reference gateway, roughly in the order of the requirements that they break. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { approvalMutants } from './approvals.ts';
import { cancellationMutants } from './cancellation.ts';
import { connectionMutants } from './connection.ts';
import { credentialMutants } from './credentials.ts';
import { deliveryMutants } from './deliveries.ts';
import { endMutants } from './ends.ts';
import { featureMutants } from './features.ts';
import { forwardingMutants } from './forwarding.ts';
import { injectionMutants } from './injection.ts';
import { lossMutants } from './losses.ts';
import { packAnswerMutants } from './pack-answers.ts';
import { packCallMutants, packTrafficMutants } from './pack-calls.ts';
import { packMutants } from './packs.ts';
import { refusalMutants } from './refusals.ts';
import { registrationMutants } from './registration.ts';
import { requestMutants } from './requests.ts';
import { signatureMutants } from './signatures.ts';
import { standingMutants } from './standing.ts';
import { lateMutants, strayMutants } from './strays.ts';
import { toolMutants } from './tools.ts';

/** Every mutant of the reference gateway. */
export const gatewayMutants: readonly Mutant[] = [
  ...registrationMutants,
  ...refusalMutants,
  ...credentialMutants,
  ...signatureMutants,
  ...standingMutants,
  ...featureMutants,
  ...requestMutants,
  ...forwardingMutants,
  ...strayMutants,
  ...lossMutants,
  ...toolMutants,
  ...approvalMutants,
  ...injectionMutants,
  ...cancellationMutants,
  ...lateMutants,
  ...connectionMutants,
  ...packMutants,
  ...packCallMutants,
  ...packAnswerMutants,
  ...packTrafficMutants,
  ...deliveryMutants,
  ...endMutants,
];
