/** Reads a report of `--report json`, and tells a report from a trace. */
import { closeSync, openSync, readSync } from 'node:fs';
import { WireproofError, jsonOf, pathOf, schemaRefusal } from '../base/index.ts';
import type { Report } from '../base/index.ts';
import { checkDocument, documentLimits } from './document.ts';
import { report } from './generated/report-validator.ts';
import { checkFile, readUserFile } from './user-file.ts';

/** The most bytes of a report that is read. */
const reportLimit = 32 << 20;
/** A file is known by its beginning: the first line of a trace says `"wireproof":"trace/1"` (bytes). */
const headSize = 65_536;
const kind = 'trace or a report of --report json';

/** Whether a file begins as a trace does. @throws WireproofError 'usage' when it is no file, or cannot be read */
export function beginsAsTrace(file: string): boolean {
  checkFile(file, { kind: 'a trace or a report' });
  const [line = ''] = head(file).split('\n');
  return /"wireproof"\s*:\s*"trace\//u.test(line);
}

function head(file: string): string {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    const buffer = Buffer.alloc(headSize);
    return buffer.toString('utf8', 0, readSync(opened, buffer, 0, headSize, 0));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WireproofError('usage', `${file}: cannot be read: ${why}`, { cause });
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Reads a report. @throws WireproofError 'usage' with file, line and column when it is none */
export function readReport(file: string): Report {
  const text = readUserFile(file, { kind: 'a trace or a report', most: reportLimit });
  const value = parsed(text);
  const refused = value === undefined ? undefined : schemaRefusal(report, value);
  if (value !== undefined && refused === undefined) return value as Report;
  // The reader of documents knows positions. It takes no file as large as the largest report.
  if (Buffer.byteLength(text) <= documentLimits.bytes) checkDocument(text, file, report, kind);
  if (refused === undefined) throw new WireproofError('usage', `${file}: not a ${kind}: it is no JSON`);
  const { fault, expected, came } = refused;
  const where = fault.instancePath === '' ? '' : `${pathOf(fault.instancePath)}: `;
  throw new WireproofError('usage', `${file}: not a ${kind}: ${where}expected ${expected}; came ${came}`);
}

function parsed(text: string): unknown {
  try {
    return jsonOf(text);
  } catch {
    return undefined;
  }
}
