/** The streamer for tests: a provider on a port of this process, what it was asked, and what became of it. */
import { WireproofError, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../kit/base/index.ts';
import { ScriptBuilder } from '../script/builder.ts';
import { checkScript } from '../script/check.ts';
import type { Script } from '../script/script.ts';
import { llmEnvironment } from './environment.ts';
import { serveScript } from './serve.ts';

/** One request that came, and its answer as far as it is. */
export interface LlmExchange {
  /** Its stream in the trace, and the channel where several share one. */
  readonly exchange: string;
  readonly method: string;
  readonly path: string;
  /** The dialect in which a generation was asked for; absent: none was. */
  readonly dialect?: string;
  readonly model?: string;
  /** What was sent, as JSON. */
  readonly body?: Json;
  /** The turn of the script that answers it, from 0; absent where none does. */
  readonly turn?: number;
  /** Why it was refused. */
  readonly error?: string;
  readonly status?: number;
  /** What was said, once it is over: `outcome`, `text`, `calls`, `stop`, `bytes` and so on. */
  answer?: LlmAnswer;
}

/** How an answer went. */
export interface LlmAnswer {
  /** Whether it was sent to its end, or the client let go before. */
  readonly outcome: 'complete' | 'reset' | 'stall' | 'aborted' | 'left';
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
    readonly complete: boolean;
  }[];
  readonly stop: string;
  /** Flushed by then. */
  readonly bytes: number;
  /** Events, lines or messages that were flushed by then. */
  readonly units: number;
}

/** A simulated provider that runs. */
export interface SimulatedLlm {
  /** Such as `http://127.0.0.1:40123`: the base URL for Anthropic's and Ollama's clients. */
  readonly url: string;
  /** What a program's environment needs so that it asks here: base URLs of all dialects, and keys that are none. */
  readonly env: { readonly [name: string]: string };
  /** What crossed so far; see {@link SimulateLlmOptions.traceLimit}. */
  readonly trace: readonly TraceEvent[];
  /** What was asked so far, in order. */
  readonly requests: readonly LlmExchange[];
  /** Lets go on what holds at a barrier of the script, now or later. */
  release(barrier: string): void;
  /** Ends everything at once. Without it, the server does not keep its process. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How it is set up. */
export interface SimulateLlmOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Draws ids and jitter; the same seed, script and requests give the same bytes. Default `1`. */
  readonly seed?: string;
  /** Events that the trace keeps, the oldest are let go of; default 100,000, 0: no trace. */
  readonly traceLimit?: number;
}

/**
 * Starts a provider that plays a script, for all dialects, on one port.
 *
 * @throws WireproofError 'usage' when the script cannot be played, 'environment' when the port cannot be had
 *
 * @example
 * import { script } from 'wireproof/llm';
 * import { simulateLlm } from 'wireproof/llm/simulate';
 *
 * const llm = await simulateLlm(script().text('Hello.'));
 * const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] });
 * const response = await fetch(`${llm.url}/v1/messages`, { method: 'POST', body });
 * (await response.text()).includes('Hello.'); // true
 * llm.requests[0]?.answer?.outcome; // 'complete'
 * await llm.close();
 */
export async function simulateLlm(
  script: Script | ScriptBuilder | JsonObject,
  options: SimulateLlmOptions = {},
): Promise<SimulatedLlm> {
  const { traceLimit = 100_000 } = options;
  const trace: TraceEvent[] = [];
  const log = new RequestLog();
  const served = await serveScript({
    ...options,
    background: true,
    script: playable(script),
    onEvent: (event) => {
      log.add(event);
      if (traceLimit === 0) return;
      trace.push(event);
      // A tenth at a time, since to drop the oldest moves all others.
      if (trace.length > traceLimit * 1.1) trace.splice(0, trace.length - traceLimit);
    },
  });
  const url = `http://${served.host}:${served.port}`;
  return {
    url,
    env: llmEnvironment(url),
    trace,
    requests: log.requests,
    release: (barrier) => served.release(barrier),
    close: () => served.close(),
    [Symbol.asyncDispose]: () => served.close(),
  };
}

/** The checked form of a script, however it is given. */
function playable(given: Script | ScriptBuilder | JsonObject): Script {
  if (given instanceof ScriptBuilder) return given.build();
  if (isChecked(given)) return given;
  const checked = checkScript(given);
  if (checked.ok) return checked.value;
  const { path, message } = checked.error;
  throw new WireproofError(
    'usage',
    `the script cannot be played: ${path === '' ? '' : `${path}: `}${message}`,
  );
}

/** Only the steps of a checked script have `do`; the schema refuses it in documents. */
const isChecked = (given: Script | JsonObject): given is Script => {
  const turns: unknown = given.turns;
  return Array.isArray(turns) && turns.every((turn) => isObject(turn) && hasCheckedSteps(turn['steps']));
};

const hasCheckedSteps = (steps: unknown): boolean =>
  Array.isArray(steps) && steps.length > 0 && steps.every((step) => isObject(step) && 'do' in step);

/** Keeps the requests of a trace, each with its answer. */
class RequestLog {
  readonly requests: LlmExchange[] = [];
  readonly #bodies = new Map<string, Json>();
  readonly #open = new Map<string, LlmExchange>();

  add({ kind, from, stream, data }: TraceEvent): void {
    if (kind === 'mark' && isObject(data['detail']))
      this.#reported(data['told'] === 'answered', data['detail']);
    if (from !== 'target') return;
    if (kind === 'message' && data['body'] !== undefined) this.#bodies.set(stream, data['body']);
    if (kind === 'end' || kind === 'reset') this.#bodies.delete(stream);
  }

  #reported(isAnswer: boolean, { exchange: key, ...detail }: Record<string, unknown>): void {
    const exchange = String(key);
    if (isAnswer) {
      const request = this.#open.get(exchange);
      if (request !== undefined) request.answer = detail as unknown as LlmAnswer;
      this.#open.delete(exchange);
      return;
    }
    const body = this.#bodies.get(exchange.replace(/ .*/, ''));
    const request = { exchange, ...detail, ...(body === undefined ? {} : { body }) } as LlmExchange;
    this.requests.push(request);
    this.#open.set(exchange, request);
  }
}
