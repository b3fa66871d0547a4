/** Tells a trace from other files by its beginning. */
import { closeSync, openSync, readSync } from 'node:fs';
import { WireproofError } from '../base/index.ts';
import { checkFile } from './user-file.ts';

/** The first line of a trace says `"wireproof":"trace/1"` (bytes). */
const headSize = 65_536;

/** Whether a file begins as a trace does, or as sessions, which the reader of traces refuses with a way out. @throws WireproofError 'usage' when it is no file, or cannot be read */
export function beginsAsTrace(file: string): boolean {
  checkFile(file, { kind: 'a trace or a report' });
  const [line = ''] = head(file).split('\n');
  return /"wireproof"\s*:\s*"(?:trace|sessions)\//u.test(line);
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
