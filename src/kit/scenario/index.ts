/** Plays scenarios: steps, templates, patterns, and the plan of what is played. Knows no target. */
export { Player } from './player.ts';
export type { Played, Stage } from './player.ts';
export { duration, fill, matches, valueAt } from './template.ts';
export type { TemplateForms } from './template.ts';
export { claimedFeatures, glob, needsOwnTarget, selectRequirements, unmet } from './plan.ts';
export type { Claims, Selection, Skipped } from './plan.ts';
export { waitsOf } from './plan.ts';
