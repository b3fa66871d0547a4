/**
 * The machinery, for those who write a suite or embed a judge: rules, judges, scenarios and worlds.
 *
 * @example
 * import { VirtualClock } from 'wireproof/kit';
 *
 * const clock = new VirtualClock();
 * clock.after(10_000, () => console.log('ten seconds later, and at once'));
 * clock.run(() => false); // 'ten seconds later, and at once'
 */
export {
  Judge,
  Lane,
  Player,
  exercised,
  peerOf,
  reportOf,
  rule,
  simulate,
  unknowable,
  violated,
} from './check/index.ts';
export type {
  Feature,
  Finding,
  Findings,
  Found,
  Judging,
  MakePeer,
  Mutant,
  Rule,
  RuleText,
  Suite,
} from './check/index.ts';
export { Host, Network, VirtualClock, realClock, seededRandom } from './world/index.ts';
export type { Clock, Dial, Fault, Link, LinkEvents, Random, Timer, WireEvent } from './world/index.ts';
