/** Plays the answer of a recorded exchange, slice by slice, as its client reads. */
import { inPair } from '../../streamer/tokenizer.ts';
import type { Answer } from './exchange.ts';
import { passedHeaders } from './forward.ts';
import type { RecordedExchange } from './recording.ts';

/** The size of a slice (UTF-16 units): a multiple of 4, since four characters of base64 are three bytes. */
const slice = 1 << 14;

/** Sends the recorded answer. */
export function playAgain(exchange: RecordedExchange, answer: Answer): void {
  const { status } = exchange;
  const isBodiless = status === 204 || status === 304;
  answer.begin(status, {
    ...passedHeaders(exchange.headers),
    ...(isBodiless ? {} : { 'content-length': String(lengthOf(exchange)) }),
  });
  const slices = slicesOf(exchange);
  const pump = (): void => {
    for (;;) {
      const next = slices.next();
      if (next.done === true) return answer.end();
      if (!answer.send(next.value)) return;
    }
  };
  answer.drained = pump;
  pump();
}

/** The length of a recorded body (bytes). */
const lengthOf = ({ body = '', base64 }: RecordedExchange): number =>
  base64 === undefined ? Buffer.byteLength(body) : Buffer.byteLength(base64, 'base64');

function* slicesOf({ body = '', base64 }: RecordedExchange): Generator<Uint8Array, undefined> {
  const text = base64 ?? body;
  for (let from = 0; from < text.length;) {
    const end = from + slice;
    const to = base64 === undefined && inPair(text, end) ? end - 1 : end;
    yield Buffer.from(text.slice(from, to), base64 === undefined ? 'utf8' : 'base64');
    from = to;
  }
  return undefined;
}
