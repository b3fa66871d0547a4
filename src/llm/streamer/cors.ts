/** Answers for browsers: every page may use the simulator. */
import type { Metadata } from '../../kit/base/index.ts';
import type { Outputs } from './exchange.ts';
import type { StreamerState } from './state.ts';

/** Allows the page of a request to read the answers in these outputs. */
export function allowPages({ links, pages }: StreamerState, out: Outputs): void {
  if (!pages) return;
  for (const [i, output] of out.entries())
    if (output.type === 'headers' && links.get(output.peer)?.headers['origin'] !== undefined)
      out[i] = { ...output, metadata: { ...output.metadata, ...allowed } };
}

const allowed: Metadata = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/** The header fields that answer a browser's question before a request (`OPTIONS`). */
export const preflight = (headers: Metadata): Metadata => ({
  ':status': '204',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  'access-control-max-age': '600',
});
