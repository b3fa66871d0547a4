/** The codec of Sample: one JSON object a line. */
import { ok, refuse } from '../kit/base/index.ts';
import type { Codec, Result, Violation } from '../kit/base/index.ts';
import { isSampleMessage } from './messages.ts';
import type { SampleMessage } from './messages.ts';

/** The message of a line, or the fault of the line. */
export function decodeLine(line: string): Result<SampleMessage, Violation> {
  const message = 'expected a JSON object with type "ping" or "pong" and an integer id from 0 on';
  const fault = refuse({ code: 'bad-message', path: '', message: `${message}; came ${line.slice(0, 80)}` });
  try {
    const value: unknown = JSON.parse(line);
    return isSampleMessage(value) ? ok({ type: value.type, id: value.id }) : fault;
  } catch {
    return fault;
  }
}

/** Messages as lines. */
export const sampleCodec: Codec<SampleMessage> = {
  name: 'sample',
  encode: (message) => new TextEncoder().encode(`${JSON.stringify(message)}\n`),
  decode(bytes) {
    const decoded = decodeLine(new TextDecoder().decode(bytes));
    return decoded.ok ? ok({ message: decoded.value }) : decoded;
  },
};
