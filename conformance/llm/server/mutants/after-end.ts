/** Servers whose answers continue after their end: LLM-S03. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { kindOf, mutant, countUp, isStreamedAnswer, valueOf } from './mutant.ts';
import type { FaultContext, ServerFault } from './mutant.ts';
import { terminalOf, each } from './terminals.ts';

/** A kind of unit with content, which the mutant repeats. */
const contentOf: { readonly [D in DialectName]: string } = {
  anthropic: 'content_block_delta',
  'openai-chat': 'chunk',
  'openai-responses': 'response.output_text.delta',
  ollama: 'line',
  lmstudio: 'fragment',
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

/** The mutants of content after the end. */
export const afterEndMutants: readonly Mutant[] = [
  ...each((dialect) =>
    mutant(
      'LLM-S03',
      `${dialect}-more`,
      `In ${dialect}, content follows the terminal.`,
      repeatContent(dialect, terminalOf[dialect]),
    ),
  ),
  mutant(
    'LLM-S03',
    'openai-chat-after-finish',
    'Content follows the chunk with the finish_reason.',
    repeatContent('openai-chat', 'finish'),
  ),
  mutant(
    'LLM-S03',
    'lmstudio-after-close',
    'It sends content in a closed channel.',
    repeatContent('lmstudio', 'channelClose'),
  ),
];
