/** Makes mutants of clients. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant, Faults } from '../../../../src/kit/suite/index.ts';
import { client } from '../../../../src/koda/index.ts';
import { clientOptions } from '../../shared/peers.ts';
import { faultyClient } from '../../shared/mutants/mutant.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';

/** A fault that is made for each run, and options of the client that differ from the target's. */
export interface OptionedFault {
  readonly fault?: () => ClientFault;
  readonly options: JsonObject;
}

/** Faults by the ids of their mutants. */
export type ClientFaults = Faults<(() => ClientFault) | OptionedFault>;

const none = (): ClientFault => ({});

/** Makes the reference client with a fault. */
export const clientWith =
  (of: (() => ClientFault) | OptionedFault): Mutant['make'] =>
  (given) => {
    const { fault = none, options } = typeof of === 'function' ? { fault: of, options: {} } : of;
    return faultyClient(client(clientOptions({ ...given, ...options })), fault());
  };
