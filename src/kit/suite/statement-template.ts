/** The statement that `wireproof init` writes for a suite. */
import type { Requirement } from '../spec/index.ts';
import type { StatementTemplate, Suite } from './suite.ts';

const time = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);

/**
 * The text of a statement for a suite, with a comment for each optional key.
 *
 * @param rows - the requirements of the suite; the first is the example of an expected failure
 */
export function statementText(suite: Suite, rows: readonly Requirement[]): string {
  const features = suite.features.map(
    ({ name, advertised, text }) =>
      `#   - ${name.padEnd(14)} # ${text}${advertised ? ' (read off the wire)' : ''}`,
  );
  const timeouts = Object.entries(suite.timeouts).map(([name, ms]) => `#   ${name}: ${time(ms)}`);
  const { target, more } = suite.statement;
  const [row] = rows;
  const parts = [
    `# The claims of this implementation, and how Wireproof reaches it. Check it with: npx wireproof check
# Paths are relative to this file. It may hold several targets (spec/targets.md, "Several targets").
suite: ${suite.id}
`,
    target,
    ...(features.length === 0
      ? []
      : [
          `# Claimed features. Without this list, every feature that cannot be read off the wire counts as claimed.
# features:
${features.join('\n')}
`,
        ]),
    ...(more === undefined ? [] : [more]),
    `# timeouts:
${timeouts.join('\n')}
`,
    `# Known failures. One that passes again, or has expired, fails the run: the list stays true.
# expected_failures:
#   - id: ${row?.id ?? ''}
#     reason: the next release mends it
#     issue: https://example.com/issues/1
#     expires: '2099-12-31'
`,
    `# The environment of the target.
# env: { LOG_LEVEL: debug }
`,
  ];
  return parts.join('\n');
}

/** The template of a testee: a program that answers operations on its stdin and stdout. */
export const testeeStatement: StatementTemplate = {
  target: `target:
  # An argv array, never a shell string. The program answers one JSON object a line on its stdin and stdout
  # (wireproof explain testees).
  command: [python3, my_testee.py]
`,
};
