/** Servers whose members have another type, or are missing where SDKs need them: LLM-S30. */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { countUp, mutant, unitFault, valueOf, withUnitValue } from './mutant.ts';
import type { ServerFault, UnitEdit } from './mutant.ts';

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

const shapeMutant = (
  dialect: DialectName,
  id: string,
  title: string,
  kinds: string | RegExp,
  edit: UnitEdit,
): Mutant => mutant('LLM-S30', `${dialect}-${id}`, title, { unit: unitFault(dialect, kinds, edit) });

/** The path of text in the units of each dialect. */
const texts: { readonly [D in DialectName]: readonly [kinds: string | RegExp, path: Path] } = {
  anthropic: ['content_block_delta', ['delta', 'text']],
  'openai-chat': ['chunk', ['choices', 0, 'delta', 'content']],
  'openai-responses': ['response.output_text.done', ['text']],
  ollama: ['line', ['message', 'content']],
  lmstudio: ['fragment', ['message', 'fragment', 'content']],
};

const listsOfParts: readonly Mutant[] = (
  ['anthropic', 'openai-chat', 'openai-responses', 'ollama', 'lmstudio'] as const
).map((dialect) =>
  shapeMutant(
    dialect,
    'text-in-parts',
    `In ${dialect} a text is a list of parts.`,
    texts[dialect][0],
    replaceMember(texts[dialect][1], asParts),
  ),
);

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

const bodies: readonly Mutant[] = [
  mutant(
    'LLM-S30',
    'openai-chat-body-text-in-parts',
    'The content of its bodies is a list of parts.',
    inBodies('openai-chat', ['choices', 0, 'message', 'content'], asParts),
  ),
  mutant(
    'LLM-S30',
    'anthropic-body-text-in-parts',
    'The texts in the blocks of its bodies are lists of parts.',
    inBodies('anthropic', ['content', 1, 'text'], asParts),
  ),
  mutant(
    'LLM-S30',
    'ollama-body-text-in-parts',
    'The content of its bodies is a list of parts.',
    inBodies('ollama', ['message', 'content'], asParts),
  ),
  mutant(
    'LLM-S30',
    'openai-responses-body-output-as-object',
    'The output of its bodies is an object.',
    inBodies('openai-responses', ['output'], (output) => ({ items: output })),
  ),
];

const missing: readonly Mutant[] = [
  shapeMutant(
    'anthropic',
    'start-without-content',
    'Its message_start has a message without content.',
    'message_start',
    replaceMember(['message', 'content'], removed),
  ),
  shapeMutant(
    'anthropic',
    'text-block-without-text',
    'Its blocks of text begin without a text.',
    'content_block_start',
    (unit) =>
      valueOf(unit, 'content_block', 'type') === 'text'
        ? [withUnitValue(unit, ['content_block', 'text'], undefined)]
        : undefined,
  ),
  shapeMutant(
    'openai-chat',
    'choice-without-index',
    'Its choices have no index.',
    /^(chunk|finish)$/,
    (unit) => [withUnitValue(unit, ['choices', 0, 'index'], undefined)],
  ),
  shapeMutant(
    'openai-chat',
    'choices-count-up',
    'The index of its choices counts the chunks.',
    /^(chunk|finish)$/,
    (unit, context) => [withUnitValue(unit, ['choices', 0, 'index'], countUp(context, 'chunks') - 1)],
  ),
  shapeMutant(
    'openai-responses',
    'no-output-index',
    'Its events have no output_index.',
    /./,
    replaceMember(['output_index'], removed),
  ),
  shapeMutant(
    'openai-responses',
    'created-without-output',
    'Its first response has no output.',
    'response.created',
    replaceMember(['response', 'output'], removed),
  ),
  shapeMutant('ollama', 'no-message', 'Its last line has no message.', 'done', (unit) => [
    withUnitValue(unit, ['message'], undefined),
  ]),
  shapeMutant(
    'lmstudio',
    'fragment-without-count',
    'Its fragments have no tokensCount.',
    'fragment',
    replaceMember(['message', 'fragment', 'tokensCount'], removed),
  ),
];

/** The mutants of members. */
export const shapeMutants: readonly Mutant[] = [...listsOfParts, ...bodies, ...missing];
