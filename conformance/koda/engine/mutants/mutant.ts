/** Makes mutants of engines. */
import { editOutgoing as outgoing } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { engine } from '../../../../src/koda/index.ts';
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import { engineOptions } from '../../shared/peers.ts';
import { faultyEngine } from '../../shared/mutants/mutant.ts';
import type { EngineFault, EngineFaultContext } from '../../shared/mutants/mutant.ts';

/**
 * Makes a mutant of the reference engine.
 *
 * @param breaks the requirement that it breaks
 * @param fault makes a new fault for each run
 */
export const mutant = (breaks: string, id: string, title: string, fault: () => EngineFault): Mutant => ({
  id,
  breaks,
  title,
  make: (given) => faultyEngine(engine(engineOptions(given)), fault()),
});

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
