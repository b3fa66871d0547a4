/** What a suite is: peers, mutants, the target and its session; the simulated world, and the self-test. */
export { outOfMemory, traceMemory } from './kept-trace.ts';
export { DelayMarks } from './delay-marks.ts';
export { longestWait } from './target-patience.ts';
export { TargetSession } from './target-session.ts';
export type { TargetSessionOptions } from './target-session-options.ts';
export { selftest, silentTarget } from './selftest.ts';
export { selftestTable } from './selftest-table.ts';
export type { LawfulOutcome } from './lawful.ts';
export type { RunConditions } from './scenario-runs.ts';
export type { MutantOutcome, SelftestOptions, SelftestResult } from './selftest.ts';
export { simulate, simulatedRedact } from './simulated.ts';
export type { SimulatedOptions, SimulatedRun } from './simulated.ts';
export { shownCarrier } from './carrier.ts';
export type { Carrier } from './carrier.ts';
export { faultsFor, lawfulOf, mapFaults, mutantsOf } from './catalogue.ts';
export type { Faults, MakeFaulty, OwnPeer } from './catalogue.ts';
export { answerFaults, faultyTestee, okAnswer, refusal } from './answer-fault.ts';
export type { Answer, AnswerFault, AnswerFaults, TesteeFault } from './answer-fault.ts';
export { intercepted } from './interceptor.ts';
export type { FaultContext, FaultyState, RoleFault } from './interceptor.ts';
export {
  allFaults,
  holdUntil,
  member,
  onInput,
  onOutput,
  onReceive,
  onSend,
  receiveLate,
  rename,
  sendLate,
} from './faults.ts';
export type { InputFault, MessageEdit, OutputFault, Renaming, Replacement } from './faults.ts';
export { scriptedPeer } from './scripted-peer.ts';
export { ProcessTable } from './process-table.ts';
export type { ListProcesses } from './process-watch.ts';
export { holdsNonce } from './tool-words.ts';
export { peerOf } from './peer.ts';
export type {
  Credentials,
  DriverRequest,
  ListeningServices,
  ListeningTargetKind,
  ProbeFinding,
  ProbeSetup,
  TargetAddress,
  TargetProbe,
} from './listening-target-kind.ts';
export { sidePeersOf } from './suite.ts';
export type {
  CarrierTargetKind,
  DialingTargetKind,
  Feature,
  Hello,
  HelloReader,
  LawfulPeer,
  Mutant,
  NamedTools,
  SideServer,
  StatementTemplate,
  Profile,
  Suite,
} from './suite.ts';
export type { MakePeer, Peer, PeerExtras, PeerWorld } from './peer.ts';
export type { TargetPlan } from './target-plan.ts';
export { statementText, testeeStatement } from './statement-template.ts';
export { suiteRows } from './suite-rows.ts';
export type { SuiteLists, SuiteRows } from './suite-rows.ts';
export { scenariosOf } from './suite-scenarios.ts';
export { listensItself } from './target-plan.ts';
export { Registry } from './registry.ts';
export type {
  Drift,
  DriftFinding,
  ReadDrift,
  CommonFlag,
  Conversation,
  Example,
  Flag,
  Limit,
  PlayConversation,
  PlayStorm,
  Protocol,
  Simulator,
  SimulatorEnd,
  SimulatorRun,
  Storm,
  StormRun,
  Sweep,
  SweepFailure,
  Sweeper,
  SweepRun,
  VectorMaker,
} from './protocol.ts';
