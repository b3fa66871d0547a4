/** Servers that lose characters (LLM-S31), or send halves of them (LLM-S01). */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { mutant, unitFault, valueOf, withUnitValue } from './mutant.ts';
import type { UnitEdit } from './mutant.ts';

/** The paths of texts in the units of each dialect. */
const texts: { readonly [D in DialectName]: readonly (readonly (string | number)[])[] } = {
  anthropic: [['delta', 'text']],
  'openai-chat': [['choices', 0, 'delta', 'content']],
  'openai-responses': [
    ['delta'],
    ['text'],
    ['part', 'text'],
    ['item', 'content', 0, 'text'],
    ...[0, 1].map((i) => ['response', 'output', i, 'content', 0, 'text']),
  ],
  ollama: [['message', 'content']],
  lmstudio: [['message', 'fragment', 'content']],
};

/** Changes the texts of a dialect's units. */
const inTexts =
  (dialect: DialectName, edit: (text: string) => string): UnitEdit =>
  (unit) => [
    texts[dialect].reduce((now, path) => {
      const before: Json | undefined = valueOf(now, ...path);
      return typeof before === 'string' ? withUnitValue(now, path, edit(before)) : now;
    }, unit),
  ];

const lost = (text: string): string => text.replaceAll(/[\u3000-\u{1FFFF}]/gu, '\uFFFD');
const halved = (text: string): string => text.replaceAll(/[\u{10000}-\u{1FFFF}]/gu, '\uD83D');

/** The mutants of texts. */
export const textMutants: readonly Mutant[] = dialects.flatMap((dialect) => [
  mutant(
    'LLM-S31',
    `${dialect}-lost-characters`,
    `In ${dialect} characters of several tokens come as U+FFFD.`,
    {
      unit: unitFault(dialect, /./, inTexts(dialect, lost)),
    },
  ),
  mutant('LLM-S01', `${dialect}-half-characters`, `In ${dialect} characters come as half a surrogate pair.`, {
    unit: unitFault(dialect, /./, inTexts(dialect, halved)),
  }),
]);
