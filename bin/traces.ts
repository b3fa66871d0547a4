/** Keeps traces as files. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { WireproofError } from '../src/kit/base/index.ts';
import type { TraceEvent, TraceHeader } from '../src/kit/base/index.ts';

/** Writes one trace; a few hundred events at a time, so that a large one is never one string. */
export function writeTrace(
  folder: string,
  name: string,
  header: TraceHeader,
  events: readonly TraceEvent[],
): string {
  const path = join(folder, `${name.replace(/[^\w.-]/g, '_')}.jsonl`);
  try {
    mkdirSync(folder, { recursive: true });
    const file = openSync(path, 'w');
    writeSync(file, `${JSON.stringify(header)}\n`);
    for (let i = 0; i < events.length; i += 500) {
      const lines = events.slice(i, i + 500).map((event) => JSON.stringify(event));
      writeSync(file, `${lines.join('\n')}\n`);
    }
    closeSync(file);
  } catch (error) {
    throw new WireproofError(
      'environment',
      `cannot write the trace ${path}: ${error instanceof Error ? error.message : ''}`,
      { cause: error },
    );
  }
  return path;
}
