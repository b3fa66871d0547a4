/** Servers whose members have another type, or are missing where SDKs need them: LLM-S30. */
import type { Json } from '../../../../src/kit/base/index.ts';
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { countUp, valueOf, withUnitValue, inUnits } from './mutant.ts';
import type { ServerFault, UnitEdit, ServerFaults } from './mutant.ts';

type Path = readonly (string | number)[];

/** Replaces a member where it has a value. Undefined removes it. */
const replaceMember =
  (path: Path, edit: (before: Json) => Json | undefined): UnitEdit =>
  (unit) => {
    const before = valueOf(unit, ...path);
    return before === undefined || before === null || before === ''
      ? undefined
      : [withUnitValue(unit, path, edit(before))];
  };

const asParts = (text: Json): Json => [{ type: 'text', text }];
const removed = (): undefined => undefined;

/** The path of text in the units of each dialect. */
const texts: { readonly [D in DialectName]: readonly [kinds: string | RegExp, path: Path] } = {
  anthropic: ['content_block_delta', ['delta', 'text']],
  'openai-chat': ['chunk', ['choices', 0, 'delta', 'content']],
  'openai-responses': ['response.output_text.done', ['text']],
  ollama: ['line', ['message', 'content']],
  lmstudio: ['fragment', ['message', 'fragment', 'content']],
  gemini: ['chunk', ['candidates', 0, 'content', 'parts', 0, 'text']],
  bedrock: ['contentBlockDelta', ['delta', 'text']],
  'gemini-interactions': ['step.delta', ['delta', 'text']],
};

const listsOfParts: ServerFaults = faultsFor(dialects, (dialect) => [
  `${dialect}-text-in-parts`,
  inUnits(dialect, texts[dialect][0], replaceMember(texts[dialect][1], asParts)),
]);

/** Changes bodies that are not streamed. */
const inBodies = (
  dialect: DialectName,
  path: Path,
  edit: (before: Json) => Json | undefined,
): ServerFault => ({
  unit: (unit, context) =>
    context.dialect === dialect && context.what === 'answer' && !context.streams && context.status === 200
      ? (replaceMember(path, edit)(unit, context) ?? [unit])
      : [unit],
});

const bodies: ServerFaults = {
  'openai-chat-body-text-in-parts': inBodies('openai-chat', ['choices', 0, 'message', 'content'], asParts),
  'anthropic-body-text-in-parts': inBodies('anthropic', ['content', 1, 'text'], asParts),
  'gemini-body-text-in-parts': inBodies('gemini', ['candidates', 0, 'content', 'parts', 1, 'text'], asParts),
  'bedrock-body-text-in-parts': inBodies('bedrock', ['output', 'message', 'content', 1, 'text'], asParts),
  'gemini-interactions-body-text-in-parts': inBodies(
    'gemini-interactions',
    ['steps', 1, 'content', 0, 'text'],
    asParts,
  ),
  'ollama-body-text-in-parts': inBodies('ollama', ['message', 'content'], asParts),
  'openai-responses-body-output-as-object': inBodies('openai-responses', ['output'], (output) => ({
    items: output,
  })),
};

const missing: ServerFaults = {
  'anthropic-start-without-content': inUnits(
    'anthropic',
    'message_start',
    replaceMember(['message', 'content'], removed),
  ),
  'anthropic-text-block-without-text': inUnits('anthropic', 'content_block_start', (unit) =>
    valueOf(unit, 'content_block', 'type') === 'text'
      ? [withUnitValue(unit, ['content_block', 'text'], undefined)]
      : undefined,
  ),
  'openai-chat-choice-without-index': inUnits('openai-chat', /^(chunk|finish)$/, (unit) => [
    withUnitValue(unit, ['choices', 0, 'index'], undefined),
  ]),
  'openai-chat-choices-count-up': inUnits('openai-chat', /^(chunk|finish)$/, (unit, context) => [
    withUnitValue(unit, ['choices', 0, 'index'], countUp(context, 'chunks') - 1),
  ]),
  'openai-responses-no-output-index': inUnits(
    'openai-responses',
    /./,
    replaceMember(['output_index'], removed),
  ),
  'openai-responses-created-without-output': inUnits(
    'openai-responses',
    'response.created',
    replaceMember(['response', 'output'], removed),
  ),
  'ollama-no-message': inUnits('ollama', 'done', (unit) => [withUnitValue(unit, ['message'], undefined)]),
  'lmstudio-fragment-without-count': inUnits(
    'lmstudio',
    'fragment',
    replaceMember(['message', 'fragment', 'tokensCount'], removed),
  ),
};

export const shapeFaults: ServerFaults = { ...listsOfParts, ...bodies, ...missing };
