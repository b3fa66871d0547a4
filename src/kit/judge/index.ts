/** Judges traces: rules, the judge that runs them, verdicts, and the evidence of a failure. */
export { Judge } from './judge.ts';
export type { RequirementFindings, Judging } from './judge.ts';
export { joinedJudging, partTopic } from './joined.ts';
export type { JoinedViews, JudgedPart, PartsOf } from './joined.ts';
export { KeyedJudges } from './keyed-judges.ts';
export type { JudgedParty, PartyKeys, PartyViolation } from './keyed-judges.ts';
export { forgetOldest } from './bounded.ts';
export { deadline, overdue } from './deadline.ts';
export type { DeadlineDefinition, WaitOutcome, Wait } from './deadline.ts';
export { Streams, momentOf, takeMark } from './run-view.ts';
export type { KnownStream, Moment, RunView, Times } from './run-view.ts';
export { anyTopic, exercised, rule, unknowable, violated } from './rule.ts';
export type { Finding, Findings, PendingEvent, Rule, RuleDefinition } from './rule.ts';
export { excerpt } from './excerpt.ts';
export { reportOf } from './verdict.ts';
export type { JudgedTrace, RunFacts } from './verdict.ts';
