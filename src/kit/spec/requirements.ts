/** Reads a protocol's requirement list. */
import { join } from 'node:path';
import { WireproofError } from '../base/index.ts';
import type { Level, Source } from '../base/index.ts';
import { readDocument } from './document.ts';
import { requirements as validator } from './generated/validators.ts';
import { packageRoot } from './root.ts';

/** One row: a testable sentence with a permanent id. */
export interface Requirement {
  readonly id: string;
  readonly level: Level;
  readonly role: string;
  readonly text: string;
  readonly source: Source;
  /** Applies only to those who claim this feature. */
  readonly feature?: string;
  /** Version of the kit that first had it. */
  readonly since: string;
  /** `needed`: not to be judged in a passive drive. `shim`: there it proves only the conformance agent. */
  readonly directive?: 'needed' | 'shim';
  /** What breaking it necessarily breaks too. */
  readonly entails?: readonly { readonly id: string; readonly why: string }[];
  /** Why no rule judges it. */
  readonly excluded?: string;
}

/** A protocol's list. */
export interface RequirementList {
  readonly protocol: string;
  readonly revision: string;
  readonly requirements: readonly Requirement[];
}

/** Reads `spec/<protocol>/requirements.yaml`; ids are unique, and `entails` names rows that exist. */
export function readRequirements(protocol: string): RequirementList {
  const file = join(packageRoot(), 'spec', protocol, 'requirements.yaml');
  const { value, at } = readDocument<RequirementList>(file, validator, 'requirement list');
  const ids = new Set<string>();
  value.requirements.forEach((row, i) => {
    const where = `${file}:${at(`/requirements/${i}`)}`;
    if (ids.has(row.id)) throw new WireproofError('internal', `${where}: ${row.id} stands twice`);
    ids.add(row.id);
  });
  value.requirements.forEach((row, i) => {
    for (const { id } of row.entails ?? []) {
      if (!ids.has(id)) {
        throw new WireproofError(
          'internal',
          `${file}:${at(`/requirements/${i}`)}: entails ${id}, which is no row`,
        );
      }
    }
  });
  return value;
}
