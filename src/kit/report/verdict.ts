/** Sorts a report's failures by their weight, and writes the verdict with its scope as one line. */
import type { OverallVerdict, Report, RequirementOutcome } from '../base/index.ts';
import { visible } from './escape.ts';
import { count, expectation, idList } from './words.ts';

/** The failed requirements of a report, by their weight. */
export interface Failures {
  /** They make the run not conformant. */
  readonly fatal: readonly RequirementOutcome[];
  /** Violated SHOULDs of a run that was not strict. */
  readonly tolerated: readonly RequirementOutcome[];
  /** Listed as expected failures. */
  readonly expected: readonly RequirementOutcome[];
  /** They follow from another failure, and are not counted. */
  readonly following: readonly RequirementOutcome[];
  /** MAYs, in place of which something else came. They have not failed. */
  readonly unlike: readonly RequirementOutcome[];
}

const isFatalIn =
  ({ strict }: Report) =>
  ({ level }: RequirementOutcome): boolean =>
    level === 'MUST' || (level === 'SHOULD' && strict);

/** Sorts the failed requirements. */
export const failuresOf = (report: Report): Failures => {
  const failed = report.requirements.filter((row) => row.verdict === 'fail');
  const own = failed.filter((row) => row.follows_from === undefined);
  const unexpected = own.filter((row) => row.expected_failure === undefined);
  const isFatal = isFatalIn(report);
  return {
    fatal: unexpected.filter(isFatal),
    tolerated: unexpected.filter((row) => !isFatal(row)),
    expected: own.filter((row) => row.expected_failure !== undefined),
    following: failed.filter((row) => row.follows_from !== undefined),
    unlike: report.requirements.filter((row) => row.verdict === 'not-observed' && row.message !== undefined),
  };
};

/** The most ids in the verdict. It only counts the others, because the report lists them above. */
const idsInVerdict = 10;

const ids = (rows: readonly RequirementOutcome[]): string =>
  idList(
    rows.map((row) => row.id),
    idsInVerdict,
  );

const exercised = ({ scope: { must } }: Report): string =>
  `${must.exercised} of ${must.applicable} applicable MUSTs exercised`;

const nothingFailed = ({ tolerated, expected }: Failures): string =>
  tolerated.length + expected.length === 0 ? 'nothing failed' : 'nothing fatal failed';

const notConformant = (report: Report, { fatal }: Failures): string => {
  const musts = fatal.filter((row) => row.level === 'MUST');
  const shoulds = fatal.filter((row) => row.level === 'SHOULD');
  const { must } = report.scope;
  const parts = [
    musts.length === 0
      ? ''
      : `${musts.length} of ${must.applicable} applicable MUSTs violated (${ids(musts)})`,
    shoulds.length === 0
      ? ''
      : `${count(shoulds.length, 'SHOULD')} violated (${ids(shoulds)}), fatal with --strict`,
    fatal.length > 0
      ? ''
      : `no unexpected violation, but ${count(report.problems.length, 'problem')} (see above)`,
    musts.length > 0 && must.exercised === must.applicable ? '' : exercised(report),
  ];
  return `not conformant: ${parts.filter((part) => part !== '').join('; ')}`;
};

const inconclusive = (report: Report, failures: Failures): string => {
  const { applicable, exercised: reached } = report.scope.must;
  if (applicable === 0) return 'inconclusive: no applicable MUST was put to the test (0 of 0)';
  if (reached === applicable) return `inconclusive: ${nothingFailed(failures)}, and ${exercised(report)}`;
  const unseen = report.requirements.filter((row) => row.level === 'MUST' && row.verdict === 'not-observed');
  return (
    `inconclusive: ${nothingFailed(failures)}, but ${applicable - reached} of ${applicable} applicable MUSTs ` +
    `were never exercised${unseen.length === 0 ? '' : `: ${ids(unseen)}`}`
  );
};

/** Either the kit failed on requirements, or the target could not be started or reached. */
const noVerdict = (report: Report): string => {
  const rows = report.requirements.filter((row) => row.verdict === 'error');
  const cause =
    rows.length === 0
      ? 'the target could not be started or reached'
      : `the kit failed on ${count(rows.length, 'requirement')} (${ids(rows)})`;
  return `error: ${cause}, so there is no verdict; ${exercised(report)}`;
};

/** Nothing fatal failed, or all that did was expected. The word for that is never "conformant" where something failed. */
const passed =
  (word: string) =>
  (report: Report, { expected }: Failures): string => {
    const fatal = expected.filter(isFatalIn(report));
    if (fatal.length === 0) return `${word}: ${exercised(report)}`;
    const known = fatal
      .slice(0, idsInVerdict)
      .map((row) => `${visible(row.id)} (${visible(expectation(row))})`);
    const more = fatal.length > known.length ? ` and ${fatal.length - known.length} more` : '';
    return `as expected, not conformant: ${known.join(', ')}${more}; ${exercised(report)}`;
  };

const heads: { readonly [V in OverallVerdict]: (report: Report, failures: Failures) => string } = {
  conformant: passed('conformant'),
  partial: passed('partial'),
  'not-conformant': notConformant,
  inconclusive,
  error: noVerdict,
};

const head = (report: Report, failures: Failures): string => {
  const isOpen = ['conformant', 'partial', 'inconclusive'].includes(report.verdict);
  // An interrupted run gives no verdict, even if all its rows pass so far.
  if (report.interrupted && isOpen) {
    return `interrupted, no verdict: ${nothingFailed(failures)} so far, ${exercised(report)}`;
  }
  return heads[report.verdict](report, failures) + (report.interrupted ? '; interrupted before its end' : '');
};

const untestable = (report: Report): string => {
  const { must, drive } = report.scope;
  const isTheReason = report.verdict === 'inconclusive' && must.exercised === must.applicable;
  const name = visible(drive);
  return `${must.untestable} untestable in ${name} drive${isTheReason ? `, which --drive ${name} accepts` : ''}`;
};

/** The expected failures that the head does not name. */
function expectedPart(report: Report, { expected }: Failures): string {
  const named = report.verdict === 'conformant' || report.verdict === 'partial';
  const rows = named && !report.interrupted ? expected.filter((row) => !isFatalIn(report)(row)) : expected;
  return rows.length === 0 ? '' : `${rows.length} failed as expected (${ids(rows)})`;
}

/** The part of the suite that the user selected. The exit code of a part that shows too little is the user's choice. */
function selection({ scope: { selected }, verdict, interrupted }: Report): string {
  if (selected === undefined) return '';
  const { flags, requirements, scenarios } = selected;
  const isTheReason = scenarios !== undefined && verdict === 'inconclusive' && !interrupted;
  const parts = [
    `${requirements.selected} of ${count(requirements.of, 'requirement')}`,
    ...(scenarios === undefined ? [] : [`${scenarios.selected} of ${count(scenarios.of, 'scenario')}`]),
  ];
  const by = flags.map((flag) => visible(flag)).join(' ');
  return `selected by ${by}: ${parts.join(' and ')}${isTheReason ? ', which --allow-inconclusive accepts' : ''}`;
}

/**
 * The verdict in one line, with its scope and without colour; safe on a terminal.
 *
 * @example
 * import { passing } from './sample.test-helper.ts';
 *
 * verdictLine(passing); // 'conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive'
 */
export const verdictLine = (report: Report): string => {
  const failures = failuresOf(report);
  const shoulds = failures.tolerated.filter((row) => row.level === 'SHOULD');
  const { must } = report.scope;
  const parts = [
    head(report, failures),
    must.untestable === 0 ? '' : untestable(report),
    expectedPart(report, failures),
    shoulds.length === 0
      ? ''
      : `${count(shoulds.length, 'SHOULD')} violated (${ids(shoulds)}), not fatal without --strict`,
    failures.following.length === 0
      ? ''
      : `${count(failures.following.length, 'failure follows', 'failures follow')} from these (${ids(failures.following)})`,
  ];
  return [...parts, selection(report)].filter((part) => part !== '').join('; ');
};
