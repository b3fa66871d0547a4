/**
 * The checks of a conversation that the client keeps: each result belongs to a call before it, and a call has one result. The
 * model behind both of Gemini's APIs is the same, and `generateContent` refuses such turns ("Function calling", see
 * `../gemini/request-checks.ts`).
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** Refuses a result without its call, and a call without its result. */
export function checkResults(reader: BodyReader, steps: readonly Json[]): void {
  const open = new Map<unknown, string>();
  for (const [i, step] of steps.entries()) {
    const { type, id, call_id: answered } = isObject(step) ? step : {};
    if (type === 'function_call') open.set(id, `input[${i}]`);
    else if (type === 'function_result' && !open.delete(answered))
      reader.refuse(`input[${i}].call_id`, 'expected the id of a function_call before it, once');
    else if (type === 'user_input') refuseOpen(reader, open);
  }
  refuseOpen(reader, open);
}

function refuseOpen(reader: BodyReader, open: ReadonlyMap<unknown, string>): void {
  for (const path of open.values()) reader.refuse(path, 'expected a function_result for each function_call');
}
