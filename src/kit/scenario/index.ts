/** Plays scenarios: steps, templates, patterns, and the plan of what is played. Knows no target. */
export { Player } from './player.ts';
export type { ScenarioEnd, Stage } from './player.ts';
export { duration, fill, matches, valueAt } from './template.ts';
export type { TemplateForms } from './template.ts';
export { claimedFeatures, glob, needsOwnTarget, selectRequirements, unmetNeed } from './plan.ts';
export type { Claims, Selection, SkippedScenario } from './plan.ts';
export { waitingTime } from './plan.ts';
