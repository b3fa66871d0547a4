/**
 * A server's witness: a page where it counts the answers that it generates. It shows what no answer can: that generation
 * ended when the client left.
 */
import { isArray } from '../../../src/kit/base/index.ts';
import type { Metadata } from '../../../src/kit/base/index.ts';
import { at } from './dialects/reader.ts';

/** What marks the requests to a witness in a trace; the path alone can be any. */
export const witnessMark = ':witness';

/** The request for the page. The statement's `operator.witness` says where the page of a real server is. */
export const witnessRequest: Metadata = {
  ':carrier': 'http',
  ':method': 'GET',
  ':path': '/metrics',
  [witnessMark]: 'yes',
};

/** Gauges that count the answers of a server, in the text format of Prometheus. */
export const gauges: readonly string[] = [
  // vLLM, docs/design/metrics.md
  'vllm:num_requests_running',
  // llama.cpp, tools/server/README.md, GET /metrics
  'llamacpp:requests_processing',
  // the kit's simulated provider
  'wireproof_requests_running',
];

/** A sample of a gauge: its name, perhaps its labels, its value. */
const sample = /^([A-Za-z_:][\w:]*)(?:\{.*\})?[ \t]+([-+\d.eE]+)/;

function countedIn(text: string): number | undefined {
  const samples = text.split('\n').flatMap((line) => {
    const [, name = '', value] = sample.exec(line) ?? [];
    return gauges.includes(name) && Number(value) >= 0 ? [Number(value)] : [];
  });
  return samples.length === 0 ? undefined : samples.reduce((sum, value) => sum + value, 0);
}

/** The slots of llama.cpp (GET /slots), each with `is_processing`. */
function busySlots(slots: readonly unknown[]): number | undefined {
  const states = slots.map((slot) => at(slot, 'is_processing'));
  return states.length > 0 && states.every((busy) => typeof busy === 'boolean')
    ? states.filter((busy) => busy).length
    : undefined;
}

/**
 * How many answers a server generates, by its page. Undefined when the page has no count that the kit knows.
 *
 * @param page - the body: a text of Prometheus, or the JSON of llama.cpp's slots
 * @example
 * runningOn('vllm:num_requests_running{model_name="m"} 2.0'); // 2
 * runningOn([{ id: 0, is_processing: true }, { id: 1, is_processing: false }]); // 1
 */
export function runningOn(page: unknown): number | undefined {
  if (typeof page === 'string') return countedIn(page);
  return isArray(page) ? busySlots(page) : undefined;
}
