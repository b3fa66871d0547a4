/** The lines of Ollama that servers send as one: the last text or call in the `done` line, and several calls in a line. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Joined, Unit } from '../../messages.ts';
import { joins } from '../shared/join.ts';
import type { JoinUnits } from '../shared/join.ts';

/** Joins the lines that a turn joins. */
export const joinLines =
  (joined: readonly Joined[]): JoinUnits =>
  (before, next) => {
    const [a, b] = [lineOf(before), lineOf(next)];
    if (a === undefined || b === undefined || a.done || a.message['thinking'] !== undefined) return undefined;
    if (b.done)
      return joins(joined, 'finish') ? withMessage(b.data, { ...b.message, ...a.message }) : undefined;
    if (b.calls.length === 0) return undefined;
    if (a.calls.length > 0)
      return joins(joined, 'calls')
        ? withMessage(b.data, { ...a.message, tool_calls: [...a.calls, ...b.calls] })
        : undefined;
    return joins(joined, 'call')
      ? withMessage(b.data, { ...b.message, content: a.message['content'] ?? '' })
      : undefined;
  };

interface Line {
  readonly data: JsonObject;
  readonly message: JsonObject;
  readonly calls: readonly JsonObject[];
  readonly done: boolean;
}

function lineOf({ data }: Unit): Line | undefined {
  if (!isObject(data) || !isObject(data['message']) || data['logprobs'] !== undefined) return undefined;
  const { message } = data;
  const calls = isArray(message['tool_calls']) ? message['tool_calls'].filter((call) => isObject(call)) : [];
  return { data, message, calls, done: data['done'] === true };
}

const withMessage = (data: JsonObject, message: JsonObject): Unit => ({ data: { ...data, message } });
