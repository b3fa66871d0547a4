/** Notes of a run: facts that a reader needs to weigh its verdict. */
import { didYouMean, inWords } from '../base/index.ts';
import type { Hello, Suite } from '../suite/index.ts';

/** The note of a run that left out scenarios because of `--only` and the like. */
export const onlyMadeFor =
  'played only the scenarios that are made for the selected requirements; others can show a fault in these, too';

/** A delay is noted when it lasts this long (ms). */
const notedDelay = 1000;

/** Whether a busy machine held up a run for a time (ms) that a reader of the report must know. */
export const isBusy = (delay: number): boolean => delay >= notedDelay;

/** The note of a run on a busy machine; empty when it was hardly held up. */
export const busyNotes = (delay: number): readonly string[] =>
  isBusy(delay)
    ? [
        `the machine was busy: it held up the target and the kit for ${(delay / 1000).toFixed(1)} s, and time limits were longer by this`,
      ]
    : [];

/** The drive that the probe found, for a check without a named drive. */
export const driveNote = (obeys: boolean): string =>
  obeys
    ? 'directive drive: the target obeyed a directive'
    : 'passive drive: the target did not obey a directive (see wireproof explain drive, and for its form wireproof explain directive); --drive passive accepts this';

/** The most unknown features of a self-description that a note names. */
const namedFeatures = 5;

/**
 * Notes of a self-description: features that no suite of its protocol has, and no list of features where there are some.
 *
 * @param others - the features of the protocol's other suites
 */
export async function helloNotes(
  { id, features }: Pick<Suite, 'id' | 'features'>,
  hello: Hello,
  others: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const names = features.map(({ name }) => name);
  const foreign = hello.features.filter((name) => !names.includes(name));
  const known = foreign.length === 0 ? [] : await others();
  const unknown = foreign.filter((name) => !known.includes(name));
  const named = unknown
    .slice(0, namedFeatures)
    .map((name) => `${inWords(name)}${didYouMean(name, names)}`)
    .join(', ');
  const more = unknown.length > namedFeatures ? ` and ${unknown.length - namedFeatures} more` : '';
  if (unknown.length > 0)
    return [
      `hello names features that ${id} does not have: ${named}${more}; wireproof list features ${id} lists them`,
    ];
  const has = Array.isArray(hello.answer['features']) || !features.some(({ advertised }) => advertised);
  return has
    ? []
    : [
        `hello has no list of features, so none is judged; write "features": [] if there are none, or those of wireproof list features ${id}`,
      ];
}
