/** The tools of the statement whose output contains a known text, and that text in the output of a call. */
import { isObject, jsonOf } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { equalJson } from '../../llm/client/answer.ts';

/** A tool whose output is known in part. */
export interface ShowingTool {
  readonly name: string;
  /** The input of its calls. `{nonce}` in it stands for a word that is new in each call. */
  readonly input: JsonObject;
  /** A text that the output contains. `{nonce}` in it is the word of the call. */
  readonly shows: string;
}

const nonce = '{nonce}';

/** The tools that the mark of a run gives; undefined when the mark is of another kind. */
export function showingToolsOf({ data: { run } }: TraceEvent): readonly ShowingTool[] | undefined {
  if (!isObject(run)) return undefined;
  const { tools } = run;
  return (isObject(tools) ? Object.values(tools) : []).flatMap((tool: Json) => {
    if (!isObject(tool)) return [];
    const { name, input, shows } = tool;
    return typeof name === 'string' && typeof shows === 'string' && isObject(input)
      ? [{ name, input, shows }]
      : [];
  });
}

/** The word in the place of `{nonce}`: the first text of the input that had it shows the word. */
function wordIn(stated: Json, input: Json): string | undefined {
  if (typeof stated === 'string') {
    const at = stated.indexOf(nonce);
    if (at < 0 || typeof input !== 'string') return undefined;
    return /^\w+/.exec(input.slice(at))?.[0];
  }
  if (typeof stated !== 'object' || stated === null || typeof input !== 'object' || input === null)
    return undefined;
  const given = new Map(Object.entries(input));
  for (const [name, one] of Object.entries(stated)) {
    const word = wordIn(one, given.get(name) ?? null);
    if (word !== undefined) return word;
  }
  return undefined;
}

const withWord = (text: string, word: string): string => text.replaceAll(nonce, word);

/** The text that the output of a call contains; undefined for a call with another input than the statement's. */
export function shownBy({ input: stated, shows }: ShowingTool, input: Json): string | undefined {
  const word = wordIn(stated, input) ?? nonce;
  const filled = jsonOf(withWord(JSON.stringify(stated), word));
  return equalJson(filled, input) ? withWord(shows, word) : undefined;
}
