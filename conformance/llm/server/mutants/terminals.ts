/** Servers whose answers end without their terminal, or twice: LLM-S02 and S19. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { withUnitValue, mutant, isStreamedAnswer, unitFault, combineFaults } from './mutant.ts';

/** The kind of each dialect's terminal. OpenAI Chat has two; this is the last. */
export const terminalOf: { readonly [D in DialectName]: string } = {
  anthropic: 'message_stop',
  'openai-chat': '[DONE]',
  'openai-responses': 'response.completed',
  ollama: 'done',
  lmstudio: 'success',
};

/** Makes one of something for each dialect. */
export const each = <T>(make: (dialect: DialectName) => T): readonly T[] => dialects.map(make);

/** The mutants of terminals. */
export const terminalMutants: readonly Mutant[] = [
  mutant('LLM-S19', 'openai-chat-no-done', 'Its streams in openai-chat end without [DONE].', {
    unit: unitFault('openai-chat', '[DONE]', () => []),
  }),
  mutant('LLM-S02', 'openai-chat-no-terminal', 'Its streams in openai-chat end without a finish_reason.', {
    unit: combineFaults(
      unitFault('openai-chat', 'finish', () => []),
      unitFault('openai-chat', '[DONE]', () => []),
    ),
  }),
  ...dialects
    .filter((dialect) => dialect !== 'openai-chat')
    .map((dialect) =>
      mutant('LLM-S02', `${dialect}-no-terminal`, `Its streams in ${dialect} end without their terminal.`, {
        unit: unitFault(dialect, terminalOf[dialect], () => []),
      }),
    ),
  ...each((dialect) =>
    mutant('LLM-S02', `${dialect}-two-terminals`, `Its streams in ${dialect} end twice.`, {
      unit: unitFault(dialect, terminalOf[dialect], (unit) => [unit, unit]),
    }),
  ),
  mutant('LLM-S02', 'openai-chat-no-finish', 'It sends [DONE] without a finish_reason.', {
    unit: unitFault('openai-chat', 'finish', (unit) => [
      withUnitValue(unit, ['choices', 0, 'finish_reason'], null),
    ]),
  }),
  mutant('LLM-S02', 'openai-chat-two-finishes', 'It sends two finish reasons.', {
    unit: unitFault('openai-chat', 'finish', (unit) => [unit, unit]),
  }),
  mutant('LLM-S02', 'body-without-end', 'Its messages that are not streamed have no stop reason.', {
    unit: (unit, { what, streams, status, dialect }) =>
      what === 'answer' && !streams && status === 200 && dialect === 'anthropic'
        ? [withUnitValue(unit, ['stop_reason'], null)]
        : [unit],
  }),
  mutant('LLM-S02', 'lost', 'It loses the connection instead of sending the terminal.', {
    unit: combineFaults(...each((dialect) => unitFault(dialect, terminalOf[dialect], () => []))),
    close: (close, context) =>
      isStreamedAnswer(context) ? [{ ...close, status: { code: 14, message: 'lost' } }] : [close],
  }),
  mutant('LLM-S02', 'hangs', 'It never sends the terminal, and never closes the stream.', {
    unit: combineFaults(...each((dialect) => unitFault(dialect, terminalOf[dialect], () => []))),
    close: (close, context) => (isStreamedAnswer(context) ? [] : [close]),
  }),
  mutant('LLM-S02', 'channel-left-open', 'It does not close channels that succeeded.', {
    unit: unitFault('lmstudio', 'channelClose', () => []),
  }),
];
