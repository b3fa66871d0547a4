/** Faults in the end of an answer, and in its usage. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { onPiece, onStop, without } from './edits.ts';

export const endFaults: Faults<GatewayParts> = {
  'filter-as-end': onStop((stop) =>
    stop.reason === 'content_filter' ? { ...stop, reason: 'end_turn' } : undefined,
  ),
  'context-as-stop': onStop((stop) =>
    stop.reason === 'context_window' ? { ...stop, reason: 'end_turn' } : undefined,
  ),
  'sequence-lost': onStop(({ do: kind, reason, word }) => ({ do: kind, reason, word })),
  'body-ends-otherwise': onStop((stop, { stream }) =>
    !stream && stop.reason === 'stop_sequence' ? { ...stop, reason: 'end_turn' } : undefined,
  ),
  'two-starts': { units: () => (unit) => (isStart(unit.data) ? [unit, unit] : [unit]) },
  'cache-twice': onPiece('usage', ({ usage }) => [
    {
      do: 'usage',
      usage: { ...usage, inputTokens: (usage.inputTokens ?? 0) + (usage.cacheReadTokens ?? 0) },
    },
  ]),
  'cache-left-out': onPiece('usage', ({ usage: { inputTokens = 0, outputTokens = 0 } }) => [
    { do: 'usage', usage: { inputTokens, outputTokens } },
  ]),
  'usage-lost': without('usage'),
  'usage-not-asked': {
    asked: (body) => {
      if (!isObject(body)) return body;
      const { stream_options: _, ...more } = body;
      return more;
    },
  },
  'thoughts-not-counted': onPiece(
    'usage',
    ({ usage: { cacheReadTokens = 0, inputTokens = 0, ...usage } }) => [
      { do: 'usage', usage: { ...usage, inputTokens: inputTokens + cacheReadTokens } },
    ],
  ),
};

const isStart = (data: unknown): boolean => isObject(data) && data['type'] === 'message_start';
