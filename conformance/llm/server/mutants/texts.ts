/** Servers that lose characters (LLM-S31), or send halves of them (LLM-S01). */
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { inUnits, valueOf, withUnitValue } from './mutant.ts';
import type { UnitEdit, ServerFaults } from './mutant.ts';

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
  gemini: [['candidates', 0, 'content', 'parts', 0, 'text']],
  bedrock: [['delta', 'text']],
  'gemini-interactions': [['delta', 'text']],
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

export const textFaults: ServerFaults = {
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-lost-characters`,
    inUnits(dialect, /./, inTexts(dialect, lost)),
  ]),
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-half-characters`,
    inUnits(dialect, /./, inTexts(dialect, halved)),
  ]),
};
