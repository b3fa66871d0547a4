/**
 * The laws that every codec, machine and role owes, as fast-check properties: write the generators, assert the
 * law.
 *
 * @example
 * import fc from 'fast-check';
 * import { agentMessages, sessions } from '../../fold/arbitrary.ts';
 *
 * fc.assert(roundTrip(agentCodec, agentMessages));
 * fc.assert(total(agentCodec, agentMessages.map(agentCodec.encode)));
 * fc.assert(replayable(sessionMachine, sessions));
 */
export { mutated, roundTrip, total } from './codec.ts';
export { closedStaysClosed, replayable, totalMachine } from './machine.ts';
export type { Closing } from './machine.ts';
export { replayableRole, totalRole } from './role.ts';
export type { Timed } from './role.ts';
