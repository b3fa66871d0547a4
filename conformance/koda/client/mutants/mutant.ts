/** Makes mutants of clients. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { client } from '../../../../src/koda/index.ts';
import { clientOptions } from '../../shared/peers.ts';
import { faultyClient } from '../../shared/mutants/mutant.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';

/**
 * Makes a mutant of the reference client.
 *
 * @param breaks the requirement that it breaks
 * @param fault makes a new fault for each run
 */
export const mutant = (breaks: string, id: string, title: string, fault: () => ClientFault): Mutant => ({
  id,
  breaks,
  title,
  make: (given) => faultyClient(client(clientOptions(given)), fault()),
});
