/** Makes mutants of engines. */
import { onSend } from '../../../../src/kit/suite/index.ts';
import type { Mutant, Faults } from '../../../../src/kit/suite/index.ts';
import { engine } from '../../../../src/koda/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import { engineOptions } from '../../shared/peers.ts';
import { faultyEngine } from '../../shared/mutants/mutant.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';

/** Faults by the ids of their mutants. Each is made for each run. */
export type EngineFaults = Faults<() => EngineFault>;

/** Makes the reference engine with a fault. */
export const engineWith =
  (fault: () => EngineFault): Mutant['make'] =>
  (given) =>
    faultyEngine(engine(engineOptions(given)), fault());

export type EventOf<T extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: T }>;

export const drops = (...types: readonly EngineEvent['type'][]): EngineFault => onSend(types, () => []);
