/** Makes mutants of clients. */
import type { Mutant, Faults } from '../../../../src/kit/suite/index.ts';
import { client } from '../../../../src/koda/index.ts';
import { clientOptions } from '../../shared/peers.ts';
import { faultyClient } from '../../shared/mutants/mutant.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';

/** Faults by the ids of their mutants. Each is made for each run. */
export type ClientFaults = Faults<() => ClientFault>;

/** Makes the reference client with a fault. */
export const clientWith =
  (fault: () => ClientFault): Mutant['make'] =>
  (given) =>
    faultyClient(client(clientOptions(given)), fault());
