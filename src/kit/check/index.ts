/** Scenario runner, rules, verdicts, targets and mutants: how a target is driven, recorded and judged. */
export { Judge } from './judge.ts';
export type { Found, Judging } from './judge.ts';
export { Player } from './player.ts';
export type { Played, Stage } from './player.ts';

export { exercised, rule, unknowable, violated } from './rule.ts';
export type { Finding, Findings, Rule, RuleText } from './rule.ts';
export { duration, fill, matches, valueAt } from './template.ts';
export { Lane, traceLimit } from './lane.ts';
export type { LaneOptions } from './lane.ts';
export { selftest, selftestTable } from './selftest.ts';
export type { MutantOutcome, SelftestOptions, SelftestResult } from './selftest.ts';
export { simulate, simulatedRedact } from './simulated.ts';
export type { SimulatedOptions, SimulatedRun } from './simulated.ts';
export { shownCarrier } from './carrier.ts';
export type { Carrier } from './carrier.ts';
export { peerOf } from './suite.ts';
export type {
  Credentials,
  Dialling,
  DriverRequest,
  Feature,
  Listening,
  Meeting,
  MakePeer,
  Mutant,
  Peer,
  PeerExtras,
  PeerWorld,
  Place,
  Storm,
  StormRun,
  Suite,
} from './suite.ts';
export { lineFraming, lineLimit, ndjson, testeeOf, testeeRole, tester, unsafeIntegers } from './testee.ts';
export { Approach } from './approach.ts';
export type { ApproachOptions } from './approach.ts';
export { check } from './check.ts';
export type { CheckOptions, Checked, CheckedTrace } from './check-options.ts';
export type { TargetPlan } from './target-plan.ts';
export { excerpt } from './excerpt.ts';
export { claimedFeatures, glob, needsOwnTarget, scenariosOf, selectRequirements, unmet } from './plan.ts';
export type { Claims, Selection, Skipped } from './plan.ts';
export { RealLane } from './real-lane.ts';
export type { RealLaneOptions, Readiness } from './real-lane.ts';
export { reportOf } from './verdict.ts';
export type { JudgedTrace, RunFacts } from './verdict.ts';
