/**
 * Wireproof: conformance tests and simulators for the wires of AI agents.
 *
 * Most people run the command (`npx wireproof check fold/agent -- ./my-agent {address}`). This door is for those
 * who build on the kit; `wireproof/fold` has the protocol, `wireproof/kit` the machinery.
 *
 * @example
 * import { agentCodec } from 'wireproof/fold';
 * import type { Report } from 'wireproof';
 *
 * const failed = (report: Report) => report.requirements.filter((r) => r.verdict === 'fail').map((r) => r.id);
 */
export { WireproofError, ok, refuse, verdicts } from './kit/base/index.ts';
export type {
  Codec,
  Decoded,
  EventKind,
  Level,
  Machine,
  OverallVerdict,
  SelectedPart,
  Report,
  RequirementOutcome,
  Result,
  Role,
  RoleInput,
  RoleOutput,
  ScenarioOutcome,
  TraceEvent,
  TraceHeader,
  Verdict,
  Violation,
  WireproofErrorCode,
} from './kit/base/index.ts';
