/** Reads and writes a recorded trace: JSON Lines, a header and events. */
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { WireproofError } from '../base/index.ts';
import type { TraceEvent, TraceHeader } from '../base/index.ts';
import { traceEvent, traceHeader } from './generated/validators.ts';
import type { Validator } from './generated/validators.ts';

function parseLine(line: string, where: string, validator: Validator, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
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

/** A trace file that is being written. Its methods throw WireproofError 'environment' when the file cannot be written. */
export class TraceWriter {
  readonly #path: string;
  readonly #file: number;

  constructor(path: string, header: TraceHeader) {
    this.#path = path;
    this.#file = this.#try(() => {
      mkdirSync(dirname(path), { recursive: true });
      return openSync(path, 'w');
    });
    this.#line(JSON.stringify(header));
  }

  /** Writes events; a few hundred at a time, so that a large trace is never one string. */
  write(events: readonly TraceEvent[]): void {
    for (let i = 0; i < events.length; i += 500)
      this.#line(
        events
          .slice(i, i + 500)
          .map((event) => JSON.stringify(event))
          .join('\n'),
      );
  }

  /** No event follows. */
  close(): void {
    this.#try(() => closeSync(this.#file));
  }

  #line(text: string): void {
    this.#try(() => writeSync(this.#file, `${text}\n`));
  }

  #try<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new WireproofError('environment', `cannot write the trace ${this.#path}: ${why}`, {
        cause: error,
      });
    }
  }
}
