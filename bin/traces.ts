/** Keeps traces as files. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WireproofError } from '../src/kit/base/index.ts';
import type { TraceEvent, TraceHeader } from '../src/kit/base/index.ts';

/** Writes one trace into a folder, under its name. @returns the file */
export function writeTrace(
  folder: string,
  name: string,
  header: TraceHeader,
  events: readonly TraceEvent[],
): string {
  const path = join(folder, `${name.replace(/[^\w.-]/g, '_')}.jsonl`);
  writeTraceFile(path, header, events);
  return path;
}

/** Writes one trace; a few hundred events at a time, so that a large one is never one string. */
export function writeTraceFile(path: string, header: TraceHeader, events: readonly TraceEvent[]): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
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
}

/** The header of what a simulated gateway saw of the agents that came to it. */
export const simulatedHeader = (scenario: string, revision: string): TraceHeader => ({
  wireproof: 'trace/1',
  suite: 'fold/agent',
  revision,
  seed: '0',
  scenario,
  target: 'agents that came to the simulated gateway',
  started: Date.now(),
});
