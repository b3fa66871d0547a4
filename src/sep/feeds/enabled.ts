/** Texts that mean true or false, such as the value of an environment variable in `enabled` (SEP-65). */

/** What each text means, in lower case. The empty one is that of a variable that is not set. */
export const namedTexts: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['', false],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);
