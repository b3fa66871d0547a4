/** The streamer for tests: a provider on a port of this process, with its requests and answers. */
import { addressText, isObject, WireproofError } from '../../kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../kit/base/index.ts';
import { ScriptBuilder } from '../script/builder.ts';
import { checkScript } from '../script/check.ts';
import type { Script } from '../script/script.ts';
import { llmEnvironment } from './environment.ts';
import { RequestLog, assertDone } from './request-log.ts';
import type { LlmExchange, UnusedTurn } from './request-log.ts';
import { TraceLog } from './trace-log.ts';
import { serveScript } from './serve.ts';

/** A running simulated provider. */
export interface SimulatedLlm {
  /** Such as `http://127.0.0.1:40123`: the base URL for Anthropic's and Ollama's clients. */
  readonly url: string;
  /** The environment for a program under test: base URLs of all dialects, and placeholder keys. */
  readonly env: { readonly [name: string]: string };
  /** The trace so far, each time it is read; see {@link SimulateLlmOptions.traceLimit}. */
  readonly trace: readonly TraceEvent[];
  /** The requests so far, in order. */
  readonly requests: readonly LlmExchange[];
  /** The requests that no turn fits, in order. */
  readonly unmatched: readonly LlmExchange[];
  /** The turns that answered fewer requests than their `times`; `always` means at least one. */
  readonly unused: readonly UnusedTurn[];
  /**
   * Asserts that the script was played to its end: each turn was used, and each request fitted a turn.
   *
   * @throws AssertionError with the turns and the requests
   */
  assertDone(): void;
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
  /**
   * The most events that the trace keeps; older ones are dropped, as are answers beyond 2 MiB that nobody has read. Default
   * 100,000; 0: no trace.
   */
  readonly traceLimit?: number;
  /** Whether clients of OpenAI Responses may open a WebSocket; default true. False: they get 426, and ask over HTTP. */
  readonly webSocket?: boolean;
  /** Origins of web pages that may call, besides pages of this machine; `*`: any. */
  readonly origins?: readonly string[];
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
  const trace = new TraceLog(traceLimit);
  const checked = playable(script);
  const log = new RequestLog();
  const served = await serveScript({
    ...options,
    background: true,
    script: checked,
    units: false,
    onEvent: (event) => {
      log.add(event);
      if (traceLimit > 0) trace.add(event);
    },
  });
  const url = `http://${addressText(served)}`;
  return {
    url,
    env: llmEnvironment(url),
    get trace() {
      return trace.events;
    },
    requests: log.requests,
    unmatched: log.use.unmatched,
    get unused() {
      return log.use.unused(checked);
    },
    assertDone: () => assertDone(log.use, checked),
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
