/** Notes of a run: facts that a reader needs to weigh its verdict. */

/** The note of a run that left out scenarios because of `--only` and the like. */
export const onlyMadeFor =
  'played only the scenarios that are made for the selected requirements; others can show a fault in these, too';

/** A delay is noted when it lasts longer (ms). */
const notedDelay = 1000;

/** The note of a run on a busy machine; undefined when it was hardly held up. */
export const busyNote = (delay: number): string | undefined =>
  delay < notedDelay
    ? undefined
    : `the machine was busy: it held up the target and the kit for ${(delay / 1000).toFixed(1)} s, and time limits were longer by this`;

/** The drive that the probe found, for a check without a named drive. */
export const driveNote = (obeys: boolean): string =>
  obeys
    ? 'directive drive: the target obeyed a directive'
    : 'passive drive: the target did not obey a directive (see wireproof explain drive, and for its form wireproof explain directive); --drive passive accepts this';
