/** Compares the words of an SDK's typings with a list of spec/llm/words. */

/**
 * A word of a list. `source` names where a word stands that no typings have.
 *
 * @typedef {{ kind: string, word: string, stage: 'stable' | 'beta', since: string, source?: string }} Entry
 *
 * @typedef {'new' | 'gone' | 'now stable' | 'now beta'} Change
 * @typedef {{ kind: string, word: string, stage: 'stable' | 'beta', change: Change }} Difference
 */

const keyOf = ({ kind, word }) => `${kind} ${word}`;

/**
 * Compares.
 *
 * @param {readonly import('./typings.mjs').Word[]} words of the typings
 * @param {readonly Entry[]} listed
 * @returns {Difference[]} new and moved words in the order of the typings, then those that are gone
 */
export function differences(words, listed) {
  const entries = new Map(listed.map((entry) => [keyOf(entry), entry]));
  const typed = new Set(words.map(keyOf));
  return [
    ...words.flatMap((word) => changeOf(word, entries.get(keyOf(word)))),
    ...listed
      .filter((entry) => entry.source === undefined && !typed.has(keyOf(entry)))
      .map(({ kind, word, stage }) => ({ kind, word, stage, change: /** @type {const} */ ('gone') })),
  ];
}

/**
 * What has changed about a word.
 *
 * @param {import('./typings.mjs').Word} word
 * @param {Entry | undefined} entry
 * @returns {Difference[]}
 */
function changeOf({ kind, word, stage }, entry) {
  if (entry === undefined) return [{ kind, word, stage, change: 'new' }];
  return entry.stage === stage ? [] : [{ kind, word, stage, change: `now ${stage}` }];
}

/** Whether somebody has to decide what the kit does with a word before its users meet it. */
export const isUrgent = ({ change, stage }) =>
  stage === 'stable' && (change === 'new' || change === 'now stable');

/**
 * Draws a table for a terminal.
 *
 * @param {readonly (readonly string[])[]} rows the first one is the head
 * @returns {string[]} its lines
 */
export function linesOf(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
