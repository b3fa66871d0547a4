/** The start of a step that has its first text: "step": {"content": [{"text": …}]} (Gemini API: Thinking, streamed example). */
import { isObject } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { JoinUnits } from '../shared/join.ts';

/** Joins the start of a text or a thought, and its first delta. */
export const joinStart: JoinUnits = (before, next) => {
  const [start, more] = [before.data, next.data];
  if (!isObject(start) || !isObject(more) || more['event_type'] !== 'step.delta') return undefined;
  const { step } = start;
  const first = isObject(step) && isObject(more['delta']) ? firstOf(step, more['delta']) : undefined;
  return first && { event: 'step.start', data: { ...start, step: first, event_id: more['event_id'] ?? '' } };
};

/** The step with the content of its first delta. */
function firstOf(step: JsonObject, delta: JsonObject): JsonObject | undefined {
  if (step['type'] === 'model_output' && delta['type'] === 'text' && step['content'] === undefined)
    return { ...step, content: [{ text: delta['text'] ?? '', type: 'text' }] };
  if (step['type'] === 'thought' && delta['type'] === 'thought_summary' && step['summary'] === undefined)
    return { ...step, signature: '', summary: [delta['content'] ?? null] };
  return undefined;
}
