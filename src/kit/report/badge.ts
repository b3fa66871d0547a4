/** The verdict as a badge: JSON that shields.io draws ("Endpoint Badge", https://shields.io/badges/endpoint-badge). */
import type { Report } from '../base/index.ts';
import { quietJson } from '../base/index.ts';
import { visible } from './escape.ts';
import { failuresOf } from './verdict.ts';

interface Badge {
  readonly message: string;
  readonly color: 'brightgreen' | 'yellow' | 'red' | 'lightgrey' | 'blue';
}

/**
 * The badge as JSON with a final line feed. Only a conformant run without failures is green: a partial, an
 * inconclusive and an interrupted run never are.
 *
 * @example
 * import { passing } from './sample.test-helper.ts';
 *
 * JSON.parse(badgeReport(passing)).message; // '41 of 41 MUSTs, 6 untestable'
 */
export const badgeReport = (report: Report): string => {
  const badge = { schemaVersion: 1, label: visible(report.suite, { limit: 60 }), ...badgeOf(report) };
  return `${quietJson(JSON.stringify(badge, null, 2))}\n`;
};

const badgeOf = (report: Report): Badge => {
  const { exercised, applicable, untestable } = report.scope.must;
  const { fatal, expected } = failuresOf(report);
  const scope = `${exercised} of ${applicable} MUSTs${untestable === 0 ? '' : `, ${untestable} untestable`}`;
  if (report.verdict === 'error') return { message: 'error, no verdict', color: 'lightgrey' };
  if (report.verdict === 'not-conformant') {
    const musts = fatal.filter(({ level }) => level === 'MUST').length;
    const what = musts === 0 ? '' : `, ${musts} of ${applicable} MUSTs violated`;
    return { message: `not conformant${what}`, color: 'red' };
  }
  if (report.interrupted) return { message: `interrupted, ${scope}`, color: 'lightgrey' };
  if (report.verdict === 'inconclusive') return { message: `inconclusive, ${scope}`, color: 'yellow' };
  const known = expected.filter(
    ({ level }) => level === 'MUST' || (report.strict && level === 'SHOULD'),
  ).length;
  if (known > 0) return { message: `not conformant as expected, ${known} known`, color: 'yellow' };
  if (report.verdict === 'partial') return { message: `partial, ${scope}`, color: 'blue' };
  return { message: scope, color: 'brightgreen' };
};
