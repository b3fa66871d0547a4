/** What this revision has in its golden vectors and plays itself: the orders and members that it knows. */
import { isArray } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';
import { readVectors } from '../../../src/kit/spec/index.ts';
import { takePlayed } from './played.ts';
import { takeBody } from './recorded.ts';
import { Traffic } from './traffic.ts';

/** How the bodies of a dialect are split; the others are events of SSE. */
const framings: { readonly [dialect: string]: 'ndjson' } = { ollama: 'ndjson' };

/** The traffic of the vectors that are no faults of a provider, and of the simulated provider. */
export function knownTraffic(): Traffic {
  return (kept ??= readKnown());
}

let kept: Traffic | undefined;

function readKnown(): Traffic {
  const traffic = new Traffic();
  takePlayed(traffic);
  const tests = readVectors('llm').flatMap(({ vectors }) => vectors.groups.flatMap((group) => group.tests));
  for (const { id, result, dialect, body, hex, messages } of tests) {
    if (result !== 'valid' || typeof dialect !== 'string') continue;
    const where = { file: 'the golden vectors', exchange: id };
    if (typeof body === 'string') takeText(traffic, dialect, body, where);
    else if (typeof hex === 'string')
      takeBody(traffic.answer(dialect, true, where), 'eventstream', Buffer.from(hex, 'hex'));
    else if (isArray(messages)) takeMessages(traffic, dialect, messages, where);
  }
  return traffic;
}

interface Test {
  readonly file: string;
  readonly exchange: string;
}

function takeText(traffic: Traffic, dialect: string, body: string, test: Test): void {
  // A body that begins as JSON is whole, but in a dialect of lines.
  const framing = framings[dialect] ?? (/^\s*\{/.test(body) ? 'whole' : 'sse');
  takeBody(traffic.answer(dialect, framing !== 'whole', test), framing, Buffer.from(body));
}

function takeMessages(traffic: Traffic, dialect: string, messages: readonly Json[], test: Test): void {
  const reading = traffic.answer(dialect, true, test);
  for (const message of messages) reading.take(message);
  reading.end();
}
