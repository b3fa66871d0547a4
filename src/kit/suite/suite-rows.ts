/** Finds the rows that a suite judges. */
import { WireproofError } from '../base/index.ts';
import { readRequirements } from '../spec/index.ts';
import type { Requirement } from '../spec/index.ts';
import type { Suite } from './suite.ts';

/** The rows of a suite, and the revisions of their lists. */
export interface SuiteRows {
  readonly revision: string;
  /** The rows that the suite's target owes. */
  readonly requirements: readonly Requirement[];
}

/**
 * Reads the rows that a suite's target owes: those of its own list, then those of its further lists.
 *
 * @throws WireproofError 'internal' when two lists have a row with the same id
 */
export function suiteRows({ id, protocol, role, furtherLists = [] }: SuiteLists): SuiteRows {
  const own = { ...readRequirements(protocol), role, rows: undefined };
  const further = furtherLists.map((list) => ({ ...readRequirements(list.protocol), ...list }));
  const lists = [own, ...further].map(({ revision, requirements, role: owing, rows }) => ({
    revision,
    requirements: requirements.filter(
      ({ id: row, roles }) => roles.includes(owing) && rows?.includes(row) !== false,
    ),
  }));
  const requirements = lists.flatMap((list) => list.requirements);
  const ids = new Set(requirements.map((row) => row.id));
  if (ids.size < requirements.length)
    throw new WireproofError('internal', `${id}: two lists have a row with the same id`);
  return { revision: lists.map(({ revision }) => revision).join('; '), requirements };
}

/** The part of a suite that names its lists. */
export type SuiteLists = Pick<Suite, 'id' | 'protocol' | 'role' | 'furtherLists'>;
