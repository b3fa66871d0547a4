/** What a suite is: peers, mutants, the target and its session; the simulated world, and the self-test. */
export { TargetSession as Lane, traceLimit } from './target-session.ts';
export type { TargetSessionOptions as LaneOptions } from './target-session.ts';
export { selftest, selftestTable, silentTarget } from './selftest.ts';
export type { MutantOutcome, SelftestOptions, SelftestResult } from './selftest.ts';
export { simulate, simulatedRedact } from './simulated.ts';
export type { SimulatedOptions, SimulatedRun } from './simulated.ts';
export { shownCarrier } from './carrier.ts';
export type { Carrier } from './carrier.ts';
export { answerFaults, okAnswer, refusal } from './answer-fault.ts';
export type { Answer, AnswerFault, AnswerFaults } from './answer-fault.ts';
export { bothFaults, editIncoming, editOutgoing, intercepted } from './interceptor.ts';
export type {
  FaultContext,
  FaultyState,
  InputFault,
  MessageEdit,
  OutputFault,
  RoleFault,
} from './interceptor.ts';
export { peerOf } from './suite.ts';
export type {
  Credentials,
  DialingTargetKind as Dialling,
  DriverRequest,
  Feature,
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
export { Registry } from './registry.ts';
export type {
  CommonFlag,
  Example,
  Flag,
  Limit,
  Protocol,
  Simulator,
  Sweep,
  SweepFailure,
  Sweeper,
  SweepRun,
  VectorMaker,
} from './protocol.ts';
