/** Rows that no route of a statement can show: no scenario of its pairs exercises them. */
import type { Statement } from '../../../src/kit/spec/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import { gatewayRules } from './rules/index.ts';
import { gatewayScenarios } from './scenarios.ts';

const shown = new WeakMap<Statement, ReadonlySet<string>>();

/** The rows that the scenarios of a statement exercise. */
function shownBy(statement: Statement): ReadonlySet<string> {
  const known = shown.get(statement);
  if (known !== undefined) return known;
  const rows = new Set(gatewayScenarios(statement).flatMap(({ exercises }) => exercises));
  shown.set(statement, rows);
  return rows;
}

/** Each row, unless a route can show it. */
export const routedRows: Suite['conditionalRows'] = [
  ...new Set(gatewayRules.map(({ requirement }) => requirement)),
].map((requirement) => ({
  requirement,
  reason: 'no pair of the routes has the words for it',
  unless: (statement) => shownBy(statement).has(requirement),
  excuses: true,
}));
