/** Finds the scenarios of a suite. */
import type { Scenario } from '../base/index.ts';
import { readScenarios } from '../spec/index.ts';
import type { Suite } from './suite.ts';

/** The scenarios that a suite makes itself, or the scenarios of its files. */
export const scenariosOf = ({ protocol, id, scenarios }: Suite): readonly Scenario[] =>
  scenarios?.() ?? readScenarios(protocol, id);
