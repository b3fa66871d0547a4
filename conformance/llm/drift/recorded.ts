/** Reads the answers of a recording of `simulate llm --record-from`. */
import type { RecordedExchange, Recording } from '../../../src/llm/edge/index.ts';
import { plainBody } from '../../../src/llm/edge/recording/index.ts';
import { blockSplitter } from '../server/blocks.ts';
import type { Framing } from '../server/blocks.ts';
import { framingOf, readBlock, unitLimit } from '../server/units.ts';
import { dialectOfPath } from './paths.ts';
import type { Reading, Traffic } from './traffic.ts';

/**
 * Takes the answers of a recording into traffic.
 *
 * @returns sentences about answers that could not be read
 */
export function takeRecording(traffic: Traffic, file: string, { exchanges }: Recording): readonly string[] {
  return exchanges.flatMap((one, i) => {
    const exchange = `exchange ${i + 1}`;
    const fault = takeExchange(traffic, one, { file, exchange });
    return fault === undefined ? [] : [`${file}, ${exchange}: ${fault}`];
  });
}

function takeExchange(
  traffic: Traffic,
  recorded: RecordedExchange,
  where: { readonly file: string; readonly exchange: string },
): string | undefined {
  const dialect = dialectOfPath(recorded.path);
  if (dialect === undefined) return undefined;
  const bytes = plainBody(recorded);
  if (typeof bytes === 'string') return bytes;
  if (bytes.length === 0) return undefined;
  const type = recorded.headers['content-type'] ?? '';
  const framing = recorded.status < 300 ? framingOf(type, bytes[0] ?? 0) : 'whole';
  return takeBody(traffic.answer(dialect, framing !== 'whole', where), framing, bytes);
}

/**
 * Takes the units of a body into an answer.
 *
 * @returns why a unit cannot be read; those before it are taken
 */
export function takeBody(reading: Reading, framing: Framing, bytes: Uint8Array): string | undefined {
  const splitter = blockSplitter(framing, unitLimit);
  const whole = splitter.push(bytes);
  const rest = splitter.end();
  // An event of SSE that no empty line ends was cut, and so was a message that has not all of its bytes.
  const isCut = (framing === 'sse' || framing === 'eventstream') && rest !== undefined;
  for (const block of isCut || rest === undefined ? whole : [...whole, rest]) {
    const read = readBlock(framing, block);
    if (read?.ok === false) return read.error.message;
    if (read === undefined) continue;
    const { message } = read.value;
    if ('data' in message) reading.take(message.data, message.event);
  }
  if (!isCut) reading.end();
  return undefined;
}
