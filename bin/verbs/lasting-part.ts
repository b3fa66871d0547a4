/** What the messages of a failure have in common, and the next run says again. */

/** The shortest part that says something (characters). */
const shortest = 8;
/** The most words of a message that are compared. */
const mostWords = 60;

/**
 * The longest part that all messages have: whole words, without numbers, ids and quoted texts of the target. Undefined
 * where there is none.
 *
 * @example
 * lastingPart(['a1: expected the order "x"; came "y"', 'b2: expected the order "z"; came nothing']); // 'expected the order'
 */
export function lastingPart(messages: readonly string[]): string | undefined {
  const [first = '', ...others] = messages;
  const candidates = first
    .split(/"[^"]*"?|\S*[\d…{}[\]]\S*|\b[0-9a-f]{6,}\b/u)
    .flatMap((part) =>
      wordRuns(
        part
          .split(/\s+/u)
          .filter((word) => word !== '')
          .slice(0, mostWords),
      ),
    )
    .filter((run) => run.length >= shortest)
    .toSorted((a, b) => b.length - a.length);
  return candidates.find((run) => others.every((message) => message.includes(run)));
}

/** All runs of consecutive words. */
const wordRuns = (words: readonly string[]): readonly string[] =>
  words.flatMap((_, from) =>
    words.slice(from).map((__, more) => words.slice(from, from + more + 1).join(' ')),
  );
