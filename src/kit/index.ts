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
export { Judge, exercised, reportOf, rule, unknowable, violated } from './judge/index.ts';
export { TargetSession, peerOf, simulate } from './suite/index.ts';
export { Player } from './scenario/index.ts';
export type { Feature, MakePeer, Mutant, Suite } from './suite/index.ts';
export type { Finding, Findings, RequirementFindings, Judging, Rule, RuleDefinition } from './judge/index.ts';
export { Host, Network, VirtualClock, realClock, seededRandom } from './world/index.ts';
export type { Clock, Dial, Fault, Link, LinkEvents, Random, Timer, WireEvent } from './world/index.ts';
