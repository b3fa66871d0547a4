/** The field `thinking` of a request: whether the model thinks, and the budget of its thoughts. */
import { isObject } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import type { HeaderFields } from '../shared/dialect.ts';

const leastBudget = 1024;

/** Whether a request lets the model think: `enabled` with a budget, or `adaptive`. */
export const thinks = ({ thinking }: JsonObject): boolean =>
  isObject(thinking) && (thinking['type'] === 'enabled' || thinking['type'] === 'adaptive');

/**
 * Refuses a budget that is too small, or not below the limit of the answer. With interleaved thinking the budget spans
 * several answers, and may be larger ("the `budget_tokens` can exceed the `max_tokens` parameter").
 */
export function checkThinking(
  reader: BodyReader,
  { thinking, max_tokens: limit }: JsonObject,
  headers: HeaderFields,
): void {
  const budget = isObject(thinking) && thinking['type'] === 'enabled' ? thinking['budget_tokens'] : undefined;
  if (typeof budget !== 'number') return;
  if (budget < leastBudget)
    reader.refuse(
      'thinking.enabled.budget_tokens',
      `Input should be greater than or equal to ${leastBudget}`,
    );
  const interleaved = headers['anthropic-beta']?.includes('interleaved-thinking') === true;
  if (typeof limit === 'number' && limit <= budget && !interleaved)
    reader.refuse('max_tokens', '', {
      message:
        '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at ' +
        'https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size',
    });
}
