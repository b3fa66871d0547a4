/** Writes traces to files. */
import { join } from 'node:path';
import type { TraceEvent, TraceHeader } from '../../src/kit/base/index.ts';
import { beginTrace, replaceFile } from '../../src/kit/spec/index.ts';

/** The name of the file of a trace. */
export const traceFile = (name: string): string => `${name.replace(/[^\w.-]/g, '_')}.jsonl`;

/** Writes one trace to a folder. @returns the path of its file */
export function writeTrace(
  folder: string,
  name: string,
  header: TraceHeader,
  events: readonly TraceEvent[],
): string {
  const path = join(folder, traceFile(name));
  replaceFile(path, (draft) => beginTrace(draft, header)(events), `the trace ${path}`);
  return path;
}
