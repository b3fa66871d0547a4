/** Storms: random sessions in the simulated world, for every protocol. */
export { action, actions, dice, memberAt, place } from './action.ts';
export type { Act } from './action.ts';
export type { SessionFailure } from './session.ts';
export { conversationOf, playStorm } from './storm.ts';
export type { StormFailure, StormOptions, StormReport } from './storm.ts';
export { StormWatch, judgeOf } from './watch.ts';
export type { Fail } from './watch.ts';
export { passTime } from './world.ts';
export type { StormKind, StormWorld } from './world.ts';
