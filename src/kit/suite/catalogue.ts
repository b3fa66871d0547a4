/** Joins the lists of mutants and lawful peers (`spec/<protocol>/mutants`, `lawful`) with the faults in code. */
import { WireproofError } from '../base/index.ts';
import { readLawfulWords, readMutantWords } from '../spec/index.ts';
import type { ByPeer } from '../spec/index.ts';
import type { LawfulPeer, Mutant } from './suite.ts';

/** A peer that is not the reference with a fault. */
export interface OwnPeer {
  readonly make: Mutant['make'];
}

/** Faults by the ids of their mutants, or oddities by the ids of their lawful peers. */
export type Faults<F> = { readonly [id: string]: F | OwnPeer };

/** Makes the reference with a fault. */
export type MakeFaulty<F> = (fault: F) => Mutant['make'];

/** Makes faults for several names, such as dialects. `entry` gives the id and the fault. */
export const faultsFor = <N, F>(
  names: readonly N[],
  entry: (name: N) => readonly [id: string, fault: F],
): { readonly [id: string]: F } => Object.fromEntries(names.map((name) => entry(name)));

/** Changes each fault of a theme. */
export const mapFaults = <F, G>(
  faults: { readonly [id: string]: F },
  edit: (fault: F) => G,
): { readonly [id: string]: G } =>
  Object.fromEntries(Object.entries(faults).map(([id, fault]) => [id, edit(fault)]));

/**
 * The mutants of a suite, in the order of their list, which is read when they are asked for.
 *
 * @param themes - the faults by theme
 * @returns a function that throws WireproofError 'internal' for an id that is on one side only, or in two themes
 *
 * @example
 * import { engineMutants } from '../../../conformance/koda/engine/mutants/index.ts';
 *
 * engineMutants()[0]?.breaks; // 'KODA-01'
 */
export const mutantsOf = <F>(
  suite: string,
  themes: readonly Faults<F>[],
  make: MakeFaulty<F>,
): (() => readonly Mutant[]) => once(() => joinFaults(suite, readMutantWords(suite), themes, make));

/** The lawful peers of a suite; see {@link mutantsOf}. */
export const lawfulOf = <F>(
  suite: string,
  themes: readonly Faults<F>[],
  make: MakeFaulty<F>,
): (() => readonly LawfulPeer[]) => once(() => joinFaults(suite, readLawfulWords(suite), themes, make));

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const isOwnPeer = (fault: unknown): fault is OwnPeer =>
  typeof fault === 'object' && fault !== null && 'make' in fault;

/**
 * Joins the words of a suite's peers with their faults, in the order of the words.
 *
 * @throws WireproofError 'internal' for an id that is on one side only, or in two themes
 */
export function joinFaults<W, F>(
  suite: string,
  words: ByPeer<W>,
  themes: readonly Faults<F>[],
  make: MakeFaulty<F>,
): readonly (W & { readonly id: string; readonly make: Mutant['make'] })[] {
  const refuse = (what: string): never => {
    throw new WireproofError('internal', `${suite}: ${what}`);
  };
  const faults = new Map<string, F | OwnPeer>();
  for (const [id, fault] of themes.flatMap((theme) => Object.entries(theme))) {
    if (faults.has(id)) refuse(`two themes have a fault ${id}`);
    if (!Object.hasOwn(words, id))
      refuse(`a theme has the fault ${id}, which its list in spec does not have`);
    faults.set(id, fault);
  }
  return Object.entries(words).map(([id, word]) => {
    const fault = faults.get(id) ?? refuse(`its list in spec has ${id}, and no theme has the fault`);
    return { id, ...word, make: isOwnPeer(fault) ? fault.make : make(fault) };
  });
}
