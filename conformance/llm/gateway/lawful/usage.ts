/** Oddities of usage. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { inAnswers, inStreams, lacking, listOf, objectIn } from './edits.ts';

export const usageOddities: Faults<GatewayParts> = {
  'usage-beside-finish': { variants: { usage: 'finish' } },
  'usage-beside-a-choice': inStreams(
    'openai-chat',
    () => (data) =>
      listOf(data['choices']).length === 0 && data['usage'] !== undefined
        ? [{ ...data, choices: [{ index: 0, delta: {} }] }]
        : undefined,
  ),
  'usage-null-left-out': inStreams(
    'openai-chat',
    () => (data) => (data['usage'] === null ? [lacking(data, 'usage')] : undefined),
  ),
  'start-counts-nothing': inStreams('anthropic', () => (data) => {
    if (data['type'] !== 'message_start') return undefined;
    const usage = { input_tokens: 0, output_tokens: 0 };
    return [{ ...data, message: { ...objectIn(data, 'message'), usage } }];
  }),
  'two-message-deltas': { variants: { twoMessageDeltas: true } },
  'usage-lean': inAnswers((data) => {
    const usage = objectIn(data, 'usage');
    if (usage['output_tokens'] === undefined || data['object'] === 'response') return undefined;
    return { ...data, usage: withoutNothing(usage) };
  }),
  'durations-lost': inAnswers((data) =>
    data['done'] === true
      ? lacking(data, 'total_duration', 'load_duration', 'prompt_eval_duration', 'eval_duration')
      : undefined,
  ),
};

/** Counts that are something. */
const withoutNothing = (usage: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(usage).filter(
      ([name, count]) => /^(?:in|out)put_tokens$/.test(name) || (count !== 0 && count !== null),
    ),
  );
