/** Writes traces to files. */
import { join } from 'node:path';
import type { TraceEvent, TraceHeader } from '../src/kit/base/index.ts';
import { beginTrace } from '../src/kit/spec/index.ts';

/** Writes one trace to a folder. @returns the path of its file */
export function writeTrace(
  folder: string,
  name: string,
  header: TraceHeader,
  events: readonly TraceEvent[],
): string {
  const path = join(folder, `${name.replace(/[^\w.-]/g, '_')}.jsonl`);
  beginTrace(path, header)(events);
  return path;
}
