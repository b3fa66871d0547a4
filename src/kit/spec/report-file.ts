/** Reads a report that `--report json` wrote. Another file is refused with what it is. */
import {
  WireproofError,
  entryOf,
  inWords,
  isObject,
  jsonOf,
  mostJsonLevels,
  nestsDeeper,
  pathOf,
  schemaRefusal,
} from '../base/index.ts';
import type { Json, Report } from '../base/index.ts';
import { report as validator } from './generated/report-validator.ts';
import { readUserFile } from './user-file.ts';

/** The most bytes of a report: those of the kit's suites have less than one million, with the facts of a shard. */
export const mostReportBytes: number = 32 << 20;

/**
 * Reads a report.
 *
 * @throws WireproofError 'usage' with the file, the position, and what the file is instead
 */
export function readReport(file: string): Report {
  const text = readUserFile(file, { kind: 'a report', most: mostReportBytes });
  const value = parsed(text, file);
  if (!isObject(value) || value['wireproof'] !== 'report/1') throw refusal(file, kindOfJson(value));
  const refused = schemaRefusal(validator, value);
  if (refused === undefined) return value as unknown as Report;
  const { fault, expected, came } = refused;
  const path = fault.instancePath === '' ? '' : `${pathOf(fault.instancePath)}: `;
  throw new WireproofError('usage', `${file}: not a report: ${path}expected ${expected}; came ${came}`);
}

const refusal = (file: string, came: string): WireproofError =>
  new WireproofError(
    'usage',
    `${file}: expected a report (wireproof check --report json=FILE writes one); came ${came}`,
  );

function parsed(text: string, file: string): Json {
  try {
    return jsonOf(text);
  } catch (cause) {
    const other = kindOfText(text);
    if (other !== undefined) throw refusal(file, other);
    const why = cause instanceof Error ? cause.message : String(cause);
    // Each step of the search for a position parses the text again, and each level of nesting costs the parser an error.
    if (nestsDeeper(text, mostJsonLevels)) throw new WireproofError('usage', `${file}: ${why}`, { cause });
    throw new WireproofError('usage', `${file}:${positionOf(text)}: not JSON: ${why}`, { cause });
  }
}

/** The line and column of the first character that no JSON can have there. Node names it in some of its messages only. */
function positionOf(text: string): string {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const before = text.slice(0, good).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Whether a text is the beginning of JSON, or all of it. */
function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return (
      /end of JSON input|Unterminated string/.test(why) ||
      why.includes(`position ${beginning.length} `) ||
      why.endsWith(`position ${beginning.length}`)
    );
  }
}

/** Starts of files that people take for reports, and what these are. */
const textKinds: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'an empty file'],
  [/^\s*\{"wireproof":"trace\/1"/, 'a trace: wireproof judge FILE judges it'],
  [/^\s*<(?:\?xml|testsuites)/, 'XML, such as --report junit writes'],
  [/^\s*<(?:!doctype html|html)/i, 'an HTML page'],
  [/^## Wireproof: /, 'markdown, such as --report markdown writes'],
  [/^\s*suite: /m, 'YAML, such as a statement'],
];

const kindOfText = (text: string): string | undefined => {
  const head = text.slice(0, 2000);
  return textKinds.find(([start]) => start.test(head))?.[1];
};

/** Formats that the member `wireproof` names. */
const formats: { readonly [name: string]: string } = {
  'trace/1': 'a trace without events',
  'report-diff/1': 'the differences of two reports',
};

function kindOfJson(value: Json): string {
  if (!isObject(value)) return `JSON: ${inWords(value)}`;
  const { wireproof } = value;
  if (wireproof !== undefined) return entryOf(formats, wireproof) ?? `the format ${inWords(wireproof)}`;
  if (value['reportFormat'] === 'CTRF') return 'CTRF, such as --report ctrf writes';
  if (value['schemaVersion'] === 1) return 'a badge';
  return `JSON without the member "wireproof": ${inWords(value)}`;
}
