/** Makes mutants of engines. */
import { editOutgoing as outgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant, Faults } from '../../../../src/kit/suite/index.ts';
import { engine } from '../../../../src/koda/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import { engineOptions } from '../../shared/peers.ts';
import { faultyEngine } from '../../shared/mutants/mutant.ts';
import type { EngineFault, EngineFaultContext } from '../../shared/mutants/mutant.ts';

/** Faults by the ids of their mutants. Each is made for each run. */
export type EngineFaults = Faults<() => EngineFault>;

/** Makes the reference engine with a fault. */
export const engineWith =
  (fault: () => EngineFault): Mutant['make'] =>
  (given) =>
    faultyEngine(engine(engineOptions(given)), fault());

/** An event of a type. */
export type EventOf<T extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: T }>;

/** A fault in the events of one type that the engine sends. */
export const editEvent = <T extends EngineEvent['type']>(
  type: T,
  edit: (event: EventOf<T>, context: EngineFaultContext) => readonly EngineEvent[],
): EngineFault =>
  outgoing((event, context) => (event.type === type ? edit(event as EventOf<T>, context) : [event]));

/** A fault that drops the events of some types. */
export const dropEvents = (...types: readonly EngineEvent['type'][]): EngineFault =>
  outgoing((event) => (types.includes(event.type) ? [] : [event]));

/** A fault in each event of the engine. */
export const editEvents = (
  edit: (event: EngineEvent, context: EngineFaultContext) => readonly EngineEvent[],
): EngineFault => outgoing(edit);

/** A fault in each command that the engine receives. */
export const editCommands = (
  edit: (command: EngineCommand, context: EngineFaultContext) => readonly EngineCommand[],
): EngineFault => ({
  input: (input, context) =>
    input.type === 'message'
      ? edit(input.message, context).map((message) => ({ ...input, message }))
      : [input],
});
