/** Reads trace files for a judge. */
import { WireproofError } from '../../src/kit/base/index.ts';
import type { TraceEvent, TraceHeader } from '../../src/kit/base/index.ts';
import { readTrace } from '../../src/kit/spec/index.ts';
import type { TraceEnd } from '../../src/kit/spec/index.ts';

/** A trace to judge. */
export interface RecordedTrace {
  /** Its file, or another name for the report. */
  readonly name: string;
  readonly header: TraceHeader;
  /** Gives all its events, in order. @throws WireproofError 'usage' at one that is no event of a trace */
  read(event: (event: TraceEvent) => void): Promise<TraceEnd>;
}

/** The trace of a file. @throws WireproofError 'usage' when it has no header of a trace */
export async function recordedTrace(file: string): Promise<RecordedTrace> {
  const header = await headerOf(file);
  return { name: file, header, read: (event) => readTrace(file, () => {}, event) };
}

async function headerOf(file: string): Promise<TraceHeader> {
  let header: TraceHeader | undefined;
  const enough = new Error('enough');
  try {
    await readTrace(
      file,
      (h) => (header = h),
      () => {
        throw enough;
      },
    );
  } catch (error) {
    if (error !== enough) throw error;
  }
  if (header === undefined) throw new WireproofError('usage', `${file}: no header`);
  return header;
}
