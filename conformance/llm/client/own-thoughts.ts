/** Collects the thoughts of OpenRouter and Bedrock, for the rules that they are sent back as they came. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { OwnBlock } from './exchange.ts';

/** The most blocks of one response that are kept, and the most characters of one. Of a larger one nothing is judged. */
export const most = { blocks: 32, length: 1_048_576 };

const listOf = (value: Json | undefined): readonly Json[] => (isArray(value) ? value : []);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/**
 * The thoughts of OpenRouter, in pieces or whole. The signature comes behind the pieces of its text: "@openrouter/sdk 1.3,
 * ReasoningDetailText".
 */
export function takeDetails(blocks: OwnBlock[], choices: Json): void {
  const [choice] = listOf(choices);
  const { delta, message }: JsonObject = isObject(choice) ? choice : {};
  const said = delta ?? message;
  for (const detail of listOf(isObject(said) ? said['reasoning_details'] : undefined)) {
    if (!isObject(detail) || JSON.stringify(detail).length > most.length) continue;
    const last = blocks.at(-1);
    if (last !== undefined && isMore(last.form, detail)) last.form = joinedDetail(last.form, detail);
    else add(blocks, detail);
  }
}

function add(blocks: OwnBlock[], form: JsonObject, index?: Json): void {
  if (blocks.length < most.blocks) blocks.push({ form, pieces: '', index });
}

/** Whether a piece of a thought goes on with the one before it. */
const isMore = (before: JsonObject, { type, index, text }: JsonObject): boolean =>
  type === 'reasoning.text' &&
  before['type'] === type &&
  before['index'] === index &&
  (before['signature'] ?? null) === null &&
  textOf(before['text']).length + textOf(text).length <= most.length;

const joinedDetail = (before: JsonObject, next: JsonObject): JsonObject => ({
  ...before,
  ...next,
  text: textOf(before['text']) + textOf(next['text']),
});

/** The thoughts of a message of OpenRouter, each in one piece. */
export function wholeDetails(details: readonly JsonObject[]): readonly JsonObject[] {
  const blocks: OwnBlock[] = [];
  takeDetails(blocks, [{ message: { reasoning_details: details } }]);
  return blocks.map(({ form }) => form);
}

/** A delta of Bedrock's: more text of a thought, its signature, or a thought that is not shown. */
export function takeReasoning(blocks: OwnBlock[], { contentBlockIndex: index, delta }: JsonObject): void {
  const { reasoningContent } = isObject(delta) ? delta : {};
  if (!isObject(reasoningContent) || JSON.stringify(reasoningContent).length > most.length) return;
  if (reasoningContent['redactedContent'] !== undefined) return add(blocks, { reasoningContent }, index);
  const known = blocks.findLast((block) => block.index === index);
  const before = known === undefined ? {} : reasoningTextIn(known.form);
  const text = textOf(before['text']) + textOf(reasoningContent['text']);
  if (text.length > most.length) return;
  const reasoningText = { ...before, ...reasoningContent, text };
  if (known === undefined) add(blocks, { reasoningContent: { reasoningText } }, index);
  else known.form = { reasoningContent: { reasoningText } };
}

/** The thoughts of a whole answer of Bedrock's. */
export function takeWholeReasoning(blocks: OwnBlock[], output: JsonObject): void {
  const { message } = output;
  for (const block of listOf(isObject(message) ? message['content'] : undefined))
    if (isObject(block) && 'reasoningContent' in block && JSON.stringify(block).length <= most.length)
      add(blocks, block);
}

const reasoningTextIn = ({ reasoningContent }: JsonObject): JsonObject => {
  const { reasoningText } = isObject(reasoningContent) ? reasoningContent : {};
  return isObject(reasoningText) ? reasoningText : {};
};

/** Whether the model provider can check a thought of Bedrock's: it is signed, or it is encrypted. */
export const isChecked = (form: JsonObject): boolean => {
  const { reasoningContent } = form;
  const { redactedContent } = isObject(reasoningContent) ? reasoningContent : {};
  return textOf(redactedContent) !== '' || textOf(reasoningTextIn(form)['signature']) !== '';
};
