/** The scenarios of a suite: its own, or those of its files. */
import type { Scenario } from '../base/index.ts';
import { readScenarios } from '../spec/index.ts';
import type { Suite } from './suite.ts';

/** Reads them. */
export const scenariosOf = ({ protocol, id, scenarios }: Suite): readonly Scenario[] =>
  scenarios?.() ?? readScenarios(protocol, id);
