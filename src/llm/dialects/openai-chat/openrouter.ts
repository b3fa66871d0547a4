/**
 * Chat Completions of OpenRouter: comments before the first chunk, the finish reason in the provider's own words, thoughts as
 * `reasoning` and as `reasoning_details` with their signature, usage with its cost behind the finish reason. Source:
 * `@openrouter/sdk` 1.3, `ChatStreamChunk`; OpenRouter API: Streaming, Reasoning Tokens.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { changed, choiceOf, deltaOf, withMembers, withoutNullUsage } from './chunk.ts';

/** The provider behind OpenRouter, and the format of its thoughts. */
const provider = 'Wireproof';
const format = 'anthropic-claude-v1';

/** OpenRouter sends usage unasked, no padding, and the role in a first chunk of its own. */
export function openrouterContext(context: RenderContext): RenderContext {
  const { blocks: _, request, variants, ...more } = context;
  return {
    ...more,
    request: { ...request, includeUsage: true },
    variants: { reasoning: 'reasoning', ...variants, obfuscation: false },
  };
}

const comment: Unit = { data: 'OPENROUTER PROCESSING', comment: true };

/** Renders the chunks as OpenRouter has them. */
export const openrouterRenderer = (inner: Renderer): Renderer => {
  let index = -1;
  let head: Unit = { data: {} };
  const renderer = changed(inner, (units) => units.map((unit) => withPlace(routed(unit), index)));
  const detailed = (details: JsonObject): Unit => {
    const delta = { reasoning_details: [{ ...details, index }] };
    return withMembers(head, {
      choices: [native({ index: 0, delta, logprobs: null, finish_reason: null })],
    });
  };
  return {
    ...renderer,
    begin() {
      const units = renderer.begin();
      head = units[0] ?? head;
      return [comment, comment, ...units];
    },
    open(block) {
      if (block.kind === 'thinking') index++;
      return renderer.open(block);
    },
    close: (block) => [...renderer.close(block), ...detailsAfter(block).map(detailed)],
  };
};

/** What comes behind the pieces of a thought: its signature, or the thought where it is not shown. */
function detailsAfter(block: GeneratedBlock): readonly JsonObject[] {
  if (block.kind !== 'thinking' || !block.complete) return [];
  const { signature, redacted: data } = block;
  if (data !== undefined) return [{ type: 'reasoning.encrypted', data, id: null, format }];
  return signature === undefined ? [] : [{ type: 'reasoning.text', signature, format }];
}

/** Adds the number of its thought to a piece of it. */
function withPlace(unit: Unit, index: number): Unit {
  const choice = choiceOf(unit);
  if (choice === undefined) return unit;
  const delta = deltaOf(choice);
  const { reasoning: text } = delta;
  if (typeof text !== 'string') return unit;
  const reasoning_details = [{ type: 'reasoning.text', text, format, index }];
  return withMembers(unit, { choices: [{ ...choice, delta: { ...delta, reasoning_details } }] });
}

/** A chunk with the members of OpenRouter; its usage with the cost. */
function routed(given: Unit): Unit {
  const unit = withoutNullUsage(given);
  if (!isObject(unit.data) || unit.data['choices'] === undefined) return unit;
  const choice = choiceOf(unit);
  const { usage } = unit.data;
  return withMembers(unit, {
    provider,
    ...(choice === undefined ? {} : { choices: [native(choice)] }),
    ...(isObject(usage) ? { usage: withCost(usage) } : {}),
  });
}

/** Each delta has the role and a content. */
function native(choice: JsonObject): JsonObject {
  const delta = deltaOf(choice);
  const content = delta['tool_calls'] === undefined ? '' : null;
  return {
    ...choice,
    delta: { role: 'assistant', content, ...delta },
    native_finish_reason: nativeReason(choice['finish_reason']),
  };
}

const nativeWords: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
]);

const nativeReason = (word: Json = null): Json => nativeWords.get(word) ?? word;

const withCost = (usage: JsonObject): JsonObject => ({ ...usage, cost: 0.000_123, is_byok: false });

/** A whole answer as OpenRouter has it. */
export function openrouterBody(body: JsonObject, { blocks = [] }: RenderContext): JsonObject {
  const choice = choiceOf({ data: body });
  const { usage } = body;
  const more = { provider, ...(isObject(usage) ? { usage: withCost(usage) } : {}) };
  if (choice === undefined) return { ...body, ...more };
  const { message } = choice;
  const thoughts = blocks.filter(({ kind }) => kind === 'thinking');
  const reasoning_details = thoughts.flatMap(wholeDetails);
  const said = isObject(message) ? message : {};
  return {
    ...body,
    ...more,
    choices: [
      {
        ...choice,
        native_finish_reason: nativeReason(choice['finish_reason']),
        message: reasoning_details.length === 0 ? said : { ...said, reasoning_details },
      },
    ],
  };
}

/** A thought of a whole answer: its text and its signature in one. */
function wholeDetails(block: GeneratedBlock, index: number): readonly JsonObject[] {
  const [last = {}] = detailsAfter(block);
  if (block.text === '') return Object.keys(last).length === 0 ? [] : [{ ...last, index }];
  return [{ type: 'reasoning.text', text: block.text, format, ...last, index }];
}
