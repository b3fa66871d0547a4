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
  /** The roles that owe it. */
  readonly roles: readonly string[];
  readonly text: string;
  readonly source: Source;
  /** Applies only to targets that claim this feature. */
  readonly feature?: string;
  /** The first version of the kit with this row. */
  readonly since: string;
  /** `needed`: a passive drive cannot judge it. `shim`: in the directive drive it proves only the conformance agent. */
  readonly directive?: 'needed' | 'shim';
  /** What its rule lets pass, because lawful peers do it or because the kit cannot tell. */
  readonly allows?: string;
  /** The usual mistake behind a violation, in a sentence for the author of the target. */
  readonly trap?: string;
  /** Requirements that a violation of this one necessarily violates, too. */
  readonly entails?: readonly { readonly id: string; readonly why: string }[];
  /** The reason why no rule judges it. */
  readonly excluded?: string;
}

/** A protocol's list. */
export interface RequirementList {
  readonly protocol: string;
  readonly revision: string;
  readonly requirements: readonly Requirement[];
}

/** A row of the file: with one role or several. */
type Row = Omit<Requirement, 'roles'> & { readonly role: string | readonly string[] };

/** The content of the file. */
type File = Omit<RequirementList, 'requirements'> & { readonly requirements: readonly Row[] };

const rolesOf = (role: Row['role']): readonly string[] => (typeof role === 'string' ? [role] : role);

/** Reads `spec/<protocol>/requirements.yaml`; ids are unique, and `entails` names rows that exist. */
export function readRequirements(protocol: string): RequirementList {
  const file = join(packageRoot(), 'spec', protocol, 'requirements.yaml');
  const { value, at } = readDocument<File>(file, validator, 'requirement list');
  const fault = (i: number, what: string): WireproofError =>
    new WireproofError('internal', `${file}:${at(`/requirements/${i}`)}: ${what}`);
  const ids = new Set<string>();
  value.requirements.forEach(({ id }, i) => {
    if (ids.has(id)) throw fault(i, `${id} stands twice`);
    ids.add(id);
  });
  value.requirements.forEach(({ entails = [] }, i) => {
    const stranger = entails.find(({ id }) => !ids.has(id));
    if (stranger !== undefined) throw fault(i, `entails ${stranger.id}, which is no row`);
  });
  const requirements = value.requirements.map(({ role, ...row }) => ({ ...row, roles: rolesOf(role) }));
  return { ...value, requirements };
}
