/** The writers of one exchange: one that writes the answer again in the client's dialect, and one that passes it as it came. */
import type { AnswerPiece } from './answer/piece.ts';
import { edits } from './options.ts';
import type { ExchangeOptions } from './options.ts';
import { AnswerWriter } from './write/answer-writer.ts';
import type { PieceWriter } from './write/answer-writer.ts';
import { RelayWriter } from './write/relay-writer.ts';

/** Writes pieces in the client's dialect. */
export function rewriting({ route, request, gateway, now, id }: ExchangeOptions): PieceWriter {
  const { form, variants = {} } = gateway.parts ?? {};
  return new AnswerWriter({
    dialect: form === 'provider' ? route.provider : route.client,
    model: request.model,
    stream: request.stream,
    includeUsage: request.includeUsage === true || route.client !== 'openai-chat',
    variants,
    now,
    id,
  });
}

/** Passes units as they came; `edit`: how the gateway changes pieces, if it does. */
export function relaying(
  options: ExchangeOptions,
  edit: (piece: AnswerPiece) => readonly AnswerPiece[],
): PieceWriter {
  const { route, id, gateway } = options;
  const own = edits(gateway.parts ?? {}) ? { edits: { edit, writer: () => rewriting(options) } } : {};
  return new RelayWriter({ dialect: route.client, id, ...own });
}
