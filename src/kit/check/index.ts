/** Scenario runner, rules, verdicts, targets and mutants: how a target is driven, recorded and judged. */
export { Judge } from './judge.ts';
export type { Found, Judging } from './judge.ts';
export { Player } from './player.ts';
export type { Played, Stage } from './player.ts';
export { Recorder } from './recorder.ts';
export type { RecorderOptions, Secrets } from './recorder.ts';
export { exercised, rule, unknowable, violated } from './rule.ts';
export type { Finding, Findings, Rule, RuleText, RunningRule } from './rule.ts';
export { duration, fill, matches, valueAt } from './template.ts';
export { Lane, traceLimit } from './lane.ts';
export type { LaneOptions } from './lane.ts';
export { simulate, simulatedRedact } from './simulated.ts';
export type { SimulatedOptions, SimulatedRun } from './simulated.ts';
export { peerOf } from './suite.ts';
export type { Feature, MakePeer, Mutant, Peer, Suite } from './suite.ts';
