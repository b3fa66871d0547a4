/** Plays scenarios: their steps, templates and patterns, and the choice of scenarios. Does not know targets. */
export { Player } from './player.ts';
export type { FailedCall } from './failed-call.ts';
export type { ScenarioEnd, ScenarioWait, Stage } from './stage.ts';
export { faultMeasure } from './fault.ts';
export { VainWaits, neededEvents } from './awaits.ts';
export { duration, fill, matches, valueAt } from './template.ts';
export type { TemplateForms } from './template.ts';
export { claimedFeatures, glob, needsOwnTarget, selectRequirements, unmetNeed } from './plan.ts';
export type { Claims, Selection, SkippedScenario } from './plan.ts';
export { waitingTime } from './plan.ts';
