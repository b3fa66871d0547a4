/** The note about a server that refuses every request. Its rows are not observed; the reason is often a key or a model. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';

/** The most characters of a body that the note shows. */
const shown = 200;

/** A response with an error status: its status, and its body as one line. */
interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** The advice for a status. */
function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'give an API key: --token-env NAME, or operator.token_env';
  if (status === 404) return 'name a model (--model NAME), or the base URL (operator.url)';
  return 'the kit cannot see more';
}

/**
 * A sentence about the refusals, when a server answered requests for an answer, and every answer was an error status.
 * Undefined when one request was not refused. `traces`: the events of each scenario.
 */
export function refusalNote(traces: readonly (readonly TraceEvent[])[]): string | undefined {
  const refusals: Refusal[] = [];
  for (const events of traces) {
    const posts = new Set<string>();
    for (const { kind, stream, data } of events) {
      if (kind === 'open' && data[':method'] === 'POST') posts.add(stream);
      const status = kind === 'headers' && posts.has(stream) ? Number(data[':status']) : Number.NaN;
      if (Number.isNaN(status)) continue;
      if (status < 400) return undefined;
      const body = events.find(
        (event) => event.stream === stream && event.from === 'target' && event.kind === 'message',
      );
      refusals.push({
        status,
        body: body === undefined ? '' : JSON.stringify(body.data['data'] ?? body.data),
      });
    }
  }
  const [first] = refusals;
  if (first === undefined) return undefined;
  const { status, body } = first;
  const text = body.length > shown ? `${body.slice(0, shown)}…` : body;
  return `the server refused all ${refusals.length} requests; the first answer was ${status} ${text}; ${adviceFor(status)}`;
}
