/** Runs a check against a real target: one that dials, one that listens, or one on a plain carrier. */
export { check } from './check.ts';
export type { CheckOptions, Checked, CheckedTrace, ManualStart } from './check-options.ts';
export { DialingTarget } from './dialing-target.ts';
export type { DialingTargetOptions } from './dialing-target.ts';
export { Access } from './access.ts';
export { meet } from './meet.ts';
export type { MeetOptions } from './meet.ts';
