/** Reads and writes a recorded trace: JSON Lines, a header and events. */
import { appendFileSync, createReadStream, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LineBuffer, WireproofError, exactText, jsonOf, quietJson } from '../base/index.ts';
import type { TraceEvent, TraceHeader } from '../base/index.ts';
import { traceEvent, traceHeader } from './generated/validators.ts';
import type { Validator } from './generated/validators.ts';
import { checkFile, makeFolder, ownersOnly } from './user-file.ts';

function parseLine(line: string, where: string, validator: Validator, what: string): unknown {
  let value: unknown;
  try {
    value = jsonOf(line);
  } catch (error) {
    throw new WireproofError('usage', `${where}: not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  if (validator(value)) return value;
  const fault = validator.errors?.[0];
  throw new WireproofError(
    'usage',
    `${where}: not ${what}: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`.trim(),
  );
}

/** What to do with a file of this project that is no trace, by the kind in its first line. */
const otherFiles: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*\{\s*"wireproof":\s*"sessions\//,
    'this is a file of sessions; `npm run -s session -- PROTOCOL NAME` prints one of them as a trace',
  ],
  [/^\s*\{\s*"wireproof":\s*"report\//, 'this is a report; `wireproof view FILE` shows it'],
];

/** The first line of a trace. @throws WireproofError 'usage' with the line, and what the file is instead if that is known */
export function parseHeader(line: string, where: string): TraceHeader {
  const other = otherFiles.find(([begins]) => begins.test(line))?.[1];
  if (other !== undefined)
    throw new WireproofError(
      'usage',
      `${where}: expected a trace (first line: {"wireproof":"trace/1",…}); ${other}`,
    );
  return readHeader(line, where);
}

const readHeader = (line: string, where: string): TraceHeader =>
  parseLine(
    line,
    where,
    traceHeader,
    'the header of a trace (first line: {"wireproof":"trace/1",…})',
  ) as TraceHeader;

/** A later line: `seq` must follow that of the line before, `at` must not fall. */
export function parseEvent(line: string, where: string, before: TraceEvent | undefined): TraceEvent {
  const event = parseLine(line, where, traceEvent, 'an event of a trace') as TraceEvent;
  const next = before === undefined ? 0 : before.seq + 1;
  if (event.seq !== next)
    throw new WireproofError('usage', `${where}: seq is ${event.seq}; expected ${next}`);
  if (before !== undefined && event.at < before.at) {
    throw new WireproofError(
      'usage',
      `${where}: at is ${event.at}, before the previous event's ${before.at}`,
    );
  }
  return event;
}

/** The longest line of a trace (UTF-16 units): a message of 16 MiB, as base64 and with all that is around it, is shorter. */
const longestLine = 64 << 20;

/** The end of a trace that was read. */
export interface TraceEnd {
  /** Absent: the file ends with a whole line. Else the number of the last line, which was cut and not read. */
  readonly cutLine?: number;
}

/**
 * Reads a trace file line by line; only the current line is kept. A last line without its end, whose writer was stopped,
 * is not read.
 *
 * @throws WireproofError 'usage' with file and line
 */
export async function readTrace(
  file: string,
  header: (header: TraceHeader) => void,
  event: (event: TraceEvent) => void,
): Promise<TraceEnd> {
  checkFile(file, { kind: 'a trace' });
  let number = 0;
  let before: TraceEvent | undefined;
  const take = (line: string): void => {
    const where = `${file}:${++number}`;
    if (number === 1) header(parseHeader(line, where));
    else if (line !== '') event((before = parseEvent(line, where, before)));
  };
  const rest = await eachLine(file, take, () => number);
  if (rest !== '' && (number === 0 || isWhole(rest))) take(rest);
  else if (rest !== '') return { cutLine: number + 1 };
  if (number === 0) throw new WireproofError('usage', `${file}: empty; a trace begins with its header`);
  return {};
}

/** Reads the lines that have an end. @returns the rest */
async function eachLine(file: string, take: (line: string) => void, lines: () => number): Promise<string> {
  const buffer = new LineBuffer('lf', longestLine);
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      const text = buffer.push(chunk);
      if (buffer.overflowed)
        throw new WireproofError(
          'usage',
          `${file}:${lines() + 1}: expected a line of a trace; came over ${longestLine} characters`,
        );
      if (text !== '') for (const line of text.slice(0, -1).split('\n')) take(line.replace(/\r$/, ''));
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new WireproofError('usage', `${file}: cannot be read: ${error.message}`, { cause: error });
  }
  return buffer.flush();
}

/** Whether a line without its end is all there: JSON that was cut is no JSON. */
function isWhole(line: string): boolean {
  try {
    jsonOf(line);
    return true;
  } catch {
    return false;
  }
}

/** The scenario in the header of a trace that a live session recorded without a scenario. */
export const liveScenario = 'simulate';

/** The text of a whole trace. */
export const textOfTrace = (header: TraceHeader, events: readonly TraceEvent[]): string =>
  [header, ...events].map((line) => `${quietJson(exactText(line))}\n`).join('');

/**
 * Begins a trace file. @returns a function that adds events to it
 *
 * @throws WireproofError 'environment' when the file cannot be written; the function does so, too
 */
export function beginTrace(path: string, header: TraceHeader): (events: readonly TraceEvent[]) => void {
  const checked = (write: () => void): void => {
    try {
      write();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new WireproofError('environment', `cannot write the trace ${path}: ${why}`, { cause });
    }
  };
  checked(() => {
    makeFolder(dirname(path));
    writeFileSync(path, `${quietJson(JSON.stringify(header))}\n`, { mode: ownersOnly });
  });
  return (events) => {
    // A few hundred events at a time, so that a large trace is never one string.
    for (let i = 0; i < events.length; i += 500) {
      const lines = events.slice(i, i + 500).map((event) => `${quietJson(exactText(event))}\n`);
      checked(() => appendFileSync(path, lines.join('')));
    }
  };
}
