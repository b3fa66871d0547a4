/** What a suite is: peers, mutants, the target and its session; the simulated world, and the self-test. */
export { TargetSession as Lane, traceLimit } from './target-session.ts';
export type { TargetSessionOptions as LaneOptions } from './target-session.ts';
export { selftest, selftestTable } from './selftest.ts';
export type { MutantOutcome, SelftestOptions, SelftestResult } from './selftest.ts';
export { simulate, simulatedRedact } from './simulated.ts';
export type { SimulatedOptions, SimulatedRun } from './simulated.ts';
export { shownCarrier } from './carrier.ts';
export type { Carrier } from './carrier.ts';
export { peerOf } from './suite.ts';
export type {
  Credentials,
  DialingTargetKind as Dialling,
  DriverRequest,
  Feature,
  Hello,
  HelloReader,
  ListeningTargetKind as Listening,
  CarrierTargetKind as Meeting,
  MakePeer,
  Mutant,
  Peer,
  PeerExtras,
  PeerWorld,
  TargetAddress as Place,
  Storm,
  StormRun,
  Suite,
} from './suite.ts';
export type { TargetPlan } from './target-plan.ts';
export { scenariosOf } from './suite-scenarios.ts';
export { listensItself } from './target-plan.ts';
