/** Runs a check against a real target: one that dials, one that listens, or one on a plain carrier. */
export { TargetConnector as Approach } from './target-connector.ts';
export type { TargetConnectorOptions as ApproachOptions } from './target-connector.ts';
export { check } from './check.ts';
export type { CheckOptions, Checked, CheckedTrace } from './check-options.ts';
export { DialingTarget as RealLane } from './dialing-target.ts';
export type { DialingTargetOptions as RealLaneOptions, Readiness } from './dialing-target.ts';
