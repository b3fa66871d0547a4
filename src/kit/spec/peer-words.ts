/** Reads what a list says about the mutants and the lawful peers of a suite. Their faults are in code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Validator } from '../base/index.ts';
import { readDocument } from './document.ts';
import { lawful, mutants } from './generated/validators.ts';
import { packageRoot } from './root.ts';

/** The words about a mutant. */
export interface MutantWords {
  /** The requirement that it breaks. */
  readonly breaks: string;
  /** Its fault, in one sentence. */
  readonly title: string;
}

/** The words about a lawful peer. */
export interface LawfulWords {
  /** Its oddity, in one sentence. */
  readonly title: string;
  /** The document and the section that allow it, in words that a reader can find. */
  readonly allowed: string;
  /** The features that it does not have. Scenarios that need them are not played. */
  readonly lacks?: readonly string[];
  /** Set for a peer that obeys no directive. */
  readonly drive?: 'passive';
  /** By row: the reason why its oddity makes the row unobservable. */
  readonly unseen?: { readonly [row: string]: string };
}

/** Words by id, in the order of the list. */
export type ByPeer<W> = { readonly [id: string]: W };

/** Reads `spec/<protocol>/mutants/<role>.yaml`. `suite`: `<protocol>/<role>`. */
export const readMutantWords = (suite: string): ByPeer<MutantWords> => read(suite, 'mutants', mutants);

/** Reads `spec/<protocol>/lawful/<role>.yaml`; a suite without such a file has no lawful peers. */
export const readLawfulWords = (suite: string): ByPeer<LawfulWords> => read(suite, 'lawful', lawful);

function read<W>(suite: string, kind: 'mutants' | 'lawful', validator: Validator): ByPeer<W> {
  const [protocol = '', role = ''] = suite.split('/');
  const file = join(packageRoot(), 'spec', protocol, kind, `${role}.yaml`);
  if (kind === 'lawful' && !existsSync(file)) return {};
  return readDocument<ByPeer<W>>(file, validator, peerLists[kind]).value;
}

/** How a refusal names each kind of list. */
export const peerLists = { mutants: 'list of mutants', lawful: 'list of lawful peers' } as const;
