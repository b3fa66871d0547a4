/** Reads and writes a baseline: the known failures of targets, each kept apart from the others. */
import { WireproofError } from '../base/index.ts';
import { checkDocument, documentLimits } from './document.ts';
import { baseline as validator } from './generated/validators.ts';
import { readStatement } from './statement.ts';
import type { ExpectedFailure } from './statement.ts';
import { readUserFile } from './user-file.ts';

/** The known failures of one target. */
export interface Baseline {
  readonly suite: string;
  /** The name of the target in its statement, or else its command or address. Absent: any target of the suite. */
  readonly target?: string;
  /** How the target was driven. Absent: in any way. */
  readonly drive?: string;
  readonly expected_failures: readonly ExpectedFailure[];
}

/** A target whose known failures are wanted. */
export interface BaselineSubject {
  /** The ids of its suite: a drive can be a suite of its own. */
  readonly suites: readonly string[];
  /** Its names, the best one first: the name in its statement, its command or address. */
  readonly names: readonly string[];
  /** Its drive; undefined while that is not known. */
  readonly drive: string | undefined;
}

/**
 * Reads the known failures of a file: a baseline, or a statement, whose known failures are those of any target.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function readBaselines(file: string): readonly Baseline[] {
  const text = readUserFile(file, { kind: 'known failures', most: documentLimits.bytes });
  if (/^["']?baselines["']?\s*:/m.test(text))
    return checkDocument<{ readonly baselines: readonly Baseline[] }>(text, file, validator, 'baseline').value
      .baselines;
  const { suite, expected_failures = [] } = readStatement(file);
  return [{ suite, expected_failures }];
}

/**
 * The baseline of a target; undefined when no baseline is its own. Where only the drive is not known, the last one counts: it was
 * added last.
 */
export function baselineOf(
  baselines: readonly Baseline[],
  { suites, names, drive }: BaselineSubject,
): Baseline | undefined {
  const own = baselines.filter(
    (one) =>
      suites.includes(one.suite) && (drive === undefined || one.drive === undefined || one.drive === drive),
  );
  const named = names.map((name) => own.findLast(({ target }) => target === name));
  return named.find((one) => one !== undefined) ?? own.find(({ target }) => target === undefined);
}

/** The text of a baseline file. A text in quotes of JSON is one of YAML. */
export function textOfBaselines(baselines: readonly Baseline[]): string {
  const text = `# Known failures of each target, written by wireproof baseline write. A check against them (wireproof baseline
# check) fails for new ones, for mended ones, and for those that have expired.
baselines:${baselines.length === 0 ? ' []' : `\n${baselines.map(textOfBaseline).join('')}`}
`;
  const bytes = Buffer.byteLength(text);
  if (bytes > documentLimits.bytes)
    throw new WireproofError(
      'usage',
      `the baseline would have ${bytes} bytes; expected at most ${documentLimits.bytes}: write some targets to another --file`,
    );
  return text;
}

function textOfBaseline({ expected_failures: failures, ...head }: Baseline): string {
  const lines = (entry: object, indent: string): string =>
    Object.entries(entry)
      .map(([key, value], i) => `${indent}${i === 0 ? '- ' : '  '}${key}: ${JSON.stringify(value)}\n`)
      .join('');
  const list = failures.map((failure) => lines(failure, '      ')).join('');
  return `${lines(head, '  ')}    expected_failures:${list === '' ? ' []\n' : `\n${list}`}`;
}
