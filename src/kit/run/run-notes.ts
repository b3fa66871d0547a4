/** Notes of a run: facts that a reader needs to weigh its verdict. */

/** The note of a run that left out scenarios because of `--only` and the like. */
export const onlyMadeFor =
  'played only the scenarios that are made for the selected requirements; others can show a fault in these, too';

/** The drive that the probe found, for a check without a named drive. */
export const driveNote = (obeys: boolean): string =>
  obeys
    ? 'directive drive: the target obeyed a directive'
    : 'passive drive: the target did not obey a directive (see wireproof explain drive, and for its form wireproof explain directive); --drive passive accepts this';
