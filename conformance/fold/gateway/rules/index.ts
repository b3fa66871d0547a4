/** All rules of Fold's gateways. */
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../model.ts';
import { authRules } from './auth.ts';
import { cancelReason } from './cancel-reason.ts';
import { cancellationRules } from './cancellation.ts';
import { connectionRules } from './connection.ts';
import { featureRules } from './features.ts';
import { injectionRules } from './injection.ts';
import { injectingRules } from './injecting.ts';
import { listingRules } from './listing.ts';
import { packCallRules } from './pack-calls.ts';
import { packRules } from './packs.ts';
import { refusalRules } from './refusals.ts';
import { registrationRules } from './registration.ts';
import { requestRules } from './requests.ts';
import { sendRules } from './sends.ts';
import { setUpRules } from './set-up.ts';
import { terminalRules } from './terminals.ts';
import { toolRules } from './tools.ts';

/** Every rule, each for one requirement. */
export const gatewayRules: readonly Rule<GatewayView>[] = [
  ...registrationRules,
  ...refusalRules,
  ...authRules,
  ...featureRules,
  ...requestRules,
  ...terminalRules,
  ...toolRules,
  ...injectionRules,
  ...cancellationRules,
  cancelReason,
  ...packRules,
  ...packCallRules,
  ...connectionRules,
  ...setUpRules,
  ...injectingRules,
  ...sendRules,
  ...listingRules,
];
