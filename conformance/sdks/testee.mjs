/**
 * What the testees of this folder share: requests as JSON objects, one a line, on stdin, answers on stdout (the testee
 * protocol; `llm.turn` is in spec/llm/README.md). Each testee wraps one provider's own SDK in a plain loop.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

// Stdout is for answers; some SDKs log to it.
console.log = console.error;

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/**
 * Answers `hello` and `llm.turn`. `turn` runs one turn with the SDK and tells the {@link Turn} what it gets; what it
 * throws is the turn's error.
 */
export function testee({ sdk, dialect, turn }) {
  const hello = { name: sdk, version: versionOf(sdk), ops: ['hello', 'llm.turn'], dialects: [dialect] };
  const answer = async ({ op, ...ask }) => {
    if (op === 'hello') return { ok: hello };
    if (op !== 'llm.turn' || ask.dialect !== dialect) return { unsupported: true };
    const done = new Turn(ask);
    await turn(ask, done).catch((error) => done.failed(error));
    return { ok: done.result };
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const { id, ...request } = JSON.parse(line);
    write({ id, ...(await answer(request)) });
  });
  // Streams and sockets may be open still.
  lines.on('close', () => process.exit());
}

/** What a turn came to so far. */
class Turn {
  result = { text: '', tool_calls: [], executed: [], stop_reason: 'error' };
  #ask;
  #abort = new AbortController();
  #events = 0;

  constructor(ask) {
    this.#ask = ask;
  }

  /** Aborted when the asker wants the turn to end. */
  get signal() {
    return this.#abort.signal;
  }

  /** The same, and after `timeout_ms`: for SDKs that have no option for a time. */
  get deadline() {
    const { timeout_ms: ms } = this.#ask;
    return ms === undefined ? this.signal : AbortSignal.any([this.signal, AbortSignal.timeout(ms)]);
  }

  /** Something of a stream came; why it stops is not known any more, or not yet. */
  event() {
    this.result.stop_reason = 'error';
    if (++this.#events === this.#ask.abort_after_events) this.#abort.abort();
  }

  text(part) {
    this.result.text += part;
  }

  /** A response is over; its counts are added to those before. */
  stopped(reason, counts) {
    this.result.stop_reason = reason;
    this.result.usage ??= {};
    for (const [name, count] of Object.entries(counts))
      this.result.usage[name] = (this.result.usage[name] ?? 0) + (count ?? 0);
  }

  /** The SDK hands out a call. */
  called({ id, name, input }) {
    this.result.tool_calls.push({ id, name, input });
  }

  /** Executes a call: its tool answers what the asker said that it answers. */
  execute({ name, input }) {
    const tool = this.#ask.tools.find((one) => one.name === name);
    if (tool === undefined) return `there is no tool ${name}`;
    this.result.executed.push({ name, input });
    return typeof tool.output === 'string' ? tool.output : JSON.stringify(tool.output ?? '');
  }

  failed(error) {
    if (this.signal.aborted) this.result.stop_reason = 'cancelled';
    this.result.error = { message: String(error?.message ?? error) };
  }
}

function versionOf(sdk) {
  const file = createRequire(import.meta.url).resolve(sdk);
  const folder = file.slice(0, file.lastIndexOf(`/node_modules/${sdk}/`));
  return JSON.parse(readFileSync(`${folder}/node_modules/${sdk}/package.json`, 'utf8')).version;
}
