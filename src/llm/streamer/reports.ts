/** The streamer's reports to the application: requests, and answers that are over. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { Outputs, StreamExchange } from './exchange.ts';
import type { LlmRequest } from '../messages.ts';

export function reportRequest(detail: { readonly [name: string]: Json }, out: Outputs): void {
  out.push({ type: 'tell', what: 'request', detail: JSON.stringify(detail) });
}

/** A request for logs and rules: without texts, but with the ids of its tool results. */
export function summaryOf(request: LlmRequest): JsonObject {
  const last = request.messages.at(-1);
  return {
    dialect: request.face ?? request.dialect,
    model: request.model,
    stream: request.stream,
    messages: request.messages.length,
    tools: request.tools.map(({ name }) => name),
    ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
    ...(last?.toolResults === undefined ? {} : { answers: last.toolResults.map(({ id }) => id) }),
  };
}

/** The turn of an error for a report; without one, no turn fits the request. */
export const turnOf = (index: number | undefined): JsonObject =>
  index === undefined ? { unmatched: true } : { turn: index };

/** Reports a response: its content, its end, and how much of it was written. */
export function reportAnswer(exchange: StreamExchange, outcome: string, out: Outputs): void {
  const { blocks, bytes, units, options } = exchange;
  const { end, request, variants } = options.context;
  const { checksum } = variants;
  const detail = {
    exchange: options.key,
    // Readers of an excerpt see the first members.
    calls: blocks.flatMap((block) => {
      if (block.kind !== 'tool_call') return [];
      const { id, name, text, complete, custom, signature } = block;
      const more = { ...(custom && { custom }), ...(signature !== undefined && { signature }) };
      return [{ name, arguments: text, complete, id, ...more }];
    }),
    stop: end.stop,
    outcome,
    text: blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(''),
    dialect: request.face ?? request.dialect,
    signal: end.signal,
    transport: end.transport,
    ...(end.error === undefined ? {} : { error: end.error }),
    ...(request.dialect === 'bedrock' && request.stream && checksum !== undefined && { checksum }),
    usage: end.usage,
    bytes,
    units,
  };
  out.push({ type: 'tell', what: 'answered', detail: JSON.stringify(detail) });
}
