/** Reads and writes a recorded trace: JSON Lines, a header and events. */
import { appendFileSync, createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { WireproofError, jsonOf } from '../base/index.ts';
import type { TraceEvent, TraceHeader } from '../base/index.ts';
import { traceEvent, traceHeader } from './generated/validators.ts';
import type { Validator } from './generated/validators.ts';

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

/** The first line of a trace. */
export const parseHeader = (line: string, where: string): TraceHeader =>
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

/**
 * Reads a trace file line by line; only the current line is kept.
 *
 * @throws WireproofError 'usage' with file and line
 */
export async function readTrace(
  file: string,
  header: (header: TraceHeader) => void,
  event: (event: TraceEvent) => void,
): Promise<void> {
  const stream = createReadStream(file, { encoding: 'utf8' });
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (error) => {
      reject(new WireproofError('usage', `${file}: cannot be read: ${error.message}`, { cause: error }));
    });
  });
  const read = (async (): Promise<void> => {
    let number = 0;
    let before: TraceEvent | undefined;
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      number++;
      const where = `${file}:${number}`;
      if (number === 1) header(parseHeader(line, where));
      else if (line !== '') event((before = parseEvent(line, where, before)));
    }
    if (number === 0) throw new WireproofError('usage', `${file}: empty; a trace begins with its header`);
  })();
  await Promise.race([read, failed]);
}

/** The scenario in the header of a trace that a live session recorded without a scenario. */
export const liveScenario = 'simulate';

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
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(header)}\n`);
  });
  return (events) => {
    // A few hundred events at a time, so that a large trace is never one string.
    for (let i = 0; i < events.length; i += 500) {
      const lines = events.slice(i, i + 500).map((event) => `${JSON.stringify(event)}\n`);
      checked(() => appendFileSync(path, lines.join('')));
    }
  };
}
