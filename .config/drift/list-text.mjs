/** Differences in the text of a list, which has one word a line. */

/**
 * Adds new words to the text of a list, each with `kit: new`, and moves those that changed between beta and stable. Words that are
 * gone stay: somebody decides.
 *
 * @param {string} text
 * @param {string} version of the SDK
 * @param {readonly import('./differences.mjs').Difference[]} found
 */
export function textWith(text, version, found) {
  const lines = text.trimEnd().split('\n');
  for (const { kind, word, stage, change } of found) {
    const start = `  - { word: ${/^[\w.$-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`}, kind: ${kind},`;
    const own = lines.findIndex((line) => line.startsWith(start));
    const last = lines.findLastIndex((line) => line.includes(`, kind: ${kind},`));
    if (change === 'new')
      lines.splice(
        last < 0 ? lines.length : last + 1,
        0,
        `${start} since: ${version}, stage: ${stage}, kit: new }`,
      );
    else if (change !== 'gone' && own >= 0)
      lines[own] = lines[own].replace(/, stage: (?:beta|stable),/, `, stage: ${stage},`);
  }
  return `${lines.join('\n')}\n`;
}
