/** Makes faults in a gateway's checks of credentials and in its refusals. */
import type { GatewayAuth, GatewayOptions } from '../../../../src/fold/index.ts';
import { onClose } from './faults.ts';
import type { GatewayFault } from './faults.ts';

/** The options of the gateway in a scenario. */
export type Options = Partial<GatewayOptions>;

/** Edits the checks of the scenario. */
export const checks =
  (change: (auth: GatewayAuth) => GatewayAuth): ((given: Options) => Options) =>
  (given) => ({ ...given, ...(given.auth === undefined ? {} : { auth: change(given.auth) }) });

/** Ends streams with another status, or not at all, if the status message fits. */
export const where = (says: RegExp, code: number | undefined) => (): GatewayFault =>
  onClose('agent', (close) => {
    if (!says.test(close.status.message)) return [close];
    return code === undefined ? [] : [{ ...close, status: { ...close.status, code } }];
  });
