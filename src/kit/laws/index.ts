/**
 * The laws that every codec, machine and role must keep, as fast-check properties. To test one, write the generators
 * and assert the law.
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
export { closedStaysClosed, replayable, replayableRole, totalMachine, totalRole } from './machine.ts';
export type { Closing, Timed } from './machine.ts';
