/**
 * The tool context of a conversation: its calls in their order, each with its result. It is compared by place, because a
 * manager may give another id to a call that repeats an id.
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, shown } from '../../../../src/kit/testee/index.ts';
import { objectsIn, textOf } from './values.ts';

export interface CallWithResult {
  readonly id: string;
  readonly name: string;
  /** Absent when the call has no `input`. */
  readonly input?: Json;
  /** Absent when no result of it comes before the next message with calls. */
  readonly result?: { readonly content: string; readonly isError: boolean };
}

/** Reads the calls of messages, each with the result that comes before the next message with calls. */
export const toolContextOf = (messages: readonly JsonObject[]): readonly CallWithResult[] =>
  messages.flatMap(({ toolCalls }, i) => {
    const calls = objectsIn(toolCalls);
    const later = messages.slice(i + 1);
    const next = calls.length === 0 ? 0 : later.findIndex((one) => objectsIn(one['toolCalls']).length > 0);
    const results = later.slice(0, next === -1 ? later.length : next).flatMap(resultsOf);
    return calls.map((call) => withResult(call, results));
  });

const resultsOf = ({ toolResults }: JsonObject): readonly JsonObject[] => objectsIn(toolResults);

function withResult(call: JsonObject, results: readonly JsonObject[]): CallWithResult {
  const result = results.find(({ id }) => id === call['id']);
  return {
    id: textOf(call['id']),
    name: textOf(call['name']),
    ...(call['input'] === undefined ? {} : { input: call['input'] }),
    ...(result === undefined
      ? {}
      : { result: { content: textOf(result['content']), isError: result['isError'] === true } }),
  };
}

/**
 * The first fault of a tool context that must have survived: a call or a result is lost, or is another. A call without a
 * result may have got one. A long result may be cut (TOK-36). The calls that came after the given ones are not judged.
 */
export function toolContextFault(
  given: readonly CallWithResult[],
  came: readonly CallWithResult[],
): string | undefined {
  for (const [i, call] of given.entries()) {
    const other = came[i];
    const fault = other === undefined ? lost(call) : (callFault(call, other) ?? resultFault(call, other));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const lost = ({ id }: CallWithResult): string => `expected the call ${shown(id)} to survive; came nothing`;

function callFault(given: CallWithResult, came: CallWithResult): string | undefined {
  if (given.name !== came.name)
    return `expected the call ${shown(given.id)} of ${given.name} to survive; came a call of ${shown(came.name)}`;
  // Arguments that are not an object may be sent back as {}.
  if (!isObject(given.input)) return undefined;
  return difference(`input of ${shown(given.id)}`, given.input, came.input);
}

function resultFault(
  { id, result: given }: CallWithResult,
  { result: came }: CallWithResult,
): string | undefined {
  if (given === undefined) return undefined;
  if (came === undefined) return `expected the result of ${shown(id)} to survive; came nothing`;
  if (given.content !== came.content && !isCut(given.content, came.content))
    return `expected the result of ${shown(id)} to be ${shown(given.content)}; came ${shown(came.content)}`;
  return given.isError === came.isError
    ? undefined
    : `expected isError of the result of ${shown(id)} ${given.isError}; came ${came.isError}`;
}

/** Results of more lines, or of more UTF-16 units, may be cut. */
const [longLines, longUnits] = [3, 200];
/** A cut result begins as the whole one: with this many UTF-16 units at least. */
const leastBeginning = 16;

/** Whether a text is the beginning of a long text, and a marker (TOK-36). */
export function isCut(whole: string, came: string): boolean {
  const isLong = whole.length > longUnits || whole.split('\n').length > longLines;
  if (!isLong || came.length >= whole.length || whole.startsWith(came)) return false;
  return came.startsWith(whole.slice(0, leastBeginning));
}
