/** The streamer for tests: a provider on a port of this process, with its requests and answers. */
import { WireproofError, isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../kit/base/index.ts';
import { ScriptBuilder } from '../script/builder.ts';
import { checkScript } from '../script/check.ts';
import type { Script } from '../script/script.ts';
import { llmEnvironment } from './environment.ts';
import { serveScript } from './serve.ts';

/** One request, and its answer once it is over. */
export interface LlmExchange {
  /** Its stream in the trace, and the channel where several share one. */
  readonly exchange: string;
  readonly method: string;
  readonly path: string;
  /** The dialect of a request for a generation; absent: another request. */
  readonly dialect?: string;
  readonly model?: string;
  /** The body of the request. */
  readonly body?: Json;
  /** The turn of the script that answers it, from 0; absent: no turn fits. */
  readonly turn?: number;
  /** Why it was refused. */
  readonly error?: string;
  readonly status?: number;
  /** The answer, once it is over. */
  answer?: LlmAnswer;
}

/** An answer that is over. */
export interface LlmAnswer {
  /** Whether it was sent to its end, or the client left before. */
  readonly outcome: 'complete' | 'reset' | 'stall' | 'aborted' | 'left';
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
    readonly complete: boolean;
  }[];
  readonly stop: string;
  /** Bytes that were written. */
  readonly bytes: number;
  /** Events, lines or messages that were written. */
  readonly units: number;
}

/** A running simulated provider. */
export interface SimulatedLlm {
  /** Such as `http://127.0.0.1:40123`: the base URL for Anthropic's and Ollama's clients. */
  readonly url: string;
  /** The environment for a program under test: base URLs of all dialects, and placeholder keys. */
  readonly env: { readonly [name: string]: string };
  /** The trace so far; see {@link SimulateLlmOptions.traceLimit}. */
  readonly trace: readonly TraceEvent[];
  /** The requests so far, in order. */
  readonly requests: readonly LlmExchange[];
  /** Releases a barrier of the script, for responses that hold at it now or later. */
  release(barrier: string): void;
  /** Ends everything at once. A server that is not closed does not keep its process alive. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of a simulated provider. */
export interface SimulateLlmOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Draws ids and jitter; the same seed, script and requests give the same bytes. Default `1`. */
  readonly seed?: string;
  /** The most events that the trace keeps; older ones are dropped. Default 100,000; 0: no trace. */
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

/** The checked form of a script. */
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
