/** Finds the scenarios of a suite. */
import type { Scenario } from '../base/index.ts';
import { readScenarios } from '../spec/index.ts';
import type { Statement } from '../spec/index.ts';
import type { Suite } from './suite.ts';

/**
 * The scenarios that a suite makes itself, or the scenarios of its files.
 *
 * @throws WireproofError 'usage' when an entry of the statement cannot be used
 */
export const scenariosOf = ({ protocol, id, scenarios }: Suite, statement?: Statement): readonly Scenario[] =>
  scenarios?.(statement) ?? readScenarios(protocol, id);
