/** Servers whose answers continue after their end: LLM-S03. */
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { kindOf, countUp, isStreamedAnswer, valueOf } from './mutant.ts';
import type { FaultContext, ServerFault, ServerFaults } from './mutant.ts';
import { terminalOf } from './terminals.ts';

/** A kind of unit with content, which the mutant repeats. */
const contentOf: { readonly [D in DialectName]: string } = {
  anthropic: 'content_block_delta',
  'openai-chat': 'chunk',
  'openai-responses': 'response.output_text.delta',
  ollama: 'line',
  lmstudio: 'fragment',
  gemini: 'chunk',
  bedrock: 'contentBlockDelta',
  'gemini-interactions': 'step.delta',
};

/** Repeats the first content of an exchange after a unit of this kind. */
function repeatContent(dialect: DialectName, after: string): ServerFault {
  const kept = new WeakMap<FaultContext, Unit>();
  return {
    unit: (unit, context) => {
      if (context.dialect !== dialect || !isStreamedAnswer(context)) return [unit];
      const kind = kindOf(unit, context);
      if (kind === contentOf[dialect] && says(unit, dialect) && !kept.has(context)) kept.set(context, unit);
      const first = kept.get(context);
      return kind === after && first !== undefined && countUp(context, 'again') === 1
        ? [unit, first]
        : [unit];
    },
  };
}

/** The first chunk of OpenAI Chat contains only a role. */
const says = (unit: Unit, dialect: DialectName): boolean =>
  dialect !== 'openai-chat' || valueOf(unit, 'choices', 0, 'delta', 'role') === undefined;

export const afterEndFaults: ServerFaults = {
  ...faultsFor(dialects, (dialect) => [`${dialect}-more`, repeatContent(dialect, terminalOf[dialect])]),
  'openai-chat-after-finish': repeatContent('openai-chat', 'finish'),
  'lmstudio-after-close': repeatContent('lmstudio', 'channelClose'),
};
