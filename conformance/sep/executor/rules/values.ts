/** Rules about references in the parameters with which actions start: SEP-41 to 48, 56 and 97. */
import { startFindings } from '../parameters/values.ts';
import { capRule } from './responses.ts';
import { firstOf, ofStart } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

const valuesOf = (row: string): RunRule =>
  ofStart((facts, action, event) => startFindings(facts, action, event).get(row));

/** The rules of this file. */
export const valueRules: RunRules = {
  'SEP-41': valuesOf('SEP-41'),
  'SEP-42': valuesOf('SEP-42'),
  'SEP-43': valuesOf('SEP-43'),
  'SEP-44': valuesOf('SEP-44'),
  'SEP-45': valuesOf('SEP-45'),
  'SEP-46': valuesOf('SEP-46'),
  'SEP-47': valuesOf('SEP-47'),
  'SEP-48': valuesOf('SEP-48'),
  'SEP-56': firstOf(valuesOf('SEP-56'), capRule),
  'SEP-97': valuesOf('SEP-97'),
};
