/** The report for machines: the Report as it is. */
import type { Report } from '../base/index.ts';
import { quietJson } from '../base/index.ts';

/**
 * The report as indented JSON with a final line feed, after spec/formats/report.schema.json. Parsing it gives the
 * Report back; characters that act on a terminal or in a CI log are `\u` escapes.
 *
 * @example
 * import { passing } from './sample.test-helper.ts';
 *
 * JSON.parse(jsonReport(passing)).verdict; // 'conformant'
 */
export const jsonReport = (report: Report): string => `${quietJson(JSON.stringify(report, null, 2))}\n`;
