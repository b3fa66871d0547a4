/** Servers whose answers end without their terminal, or twice: LLM-S02 and S19. */
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { withUnitValue, isStreamedAnswer, unitFault, combineFaults, inUnits } from './mutant.ts';
import type { ServerFaults } from './mutant.ts';

/** The kind of each dialect's terminal. OpenAI Chat has two; this is the last. */
export const terminalOf: { readonly [D in DialectName]: string } = {
  anthropic: 'message_stop',
  'openai-chat': '[DONE]',
  'openai-responses': 'response.completed',
  ollama: 'done',
  lmstudio: 'success',
  gemini: 'finish',
  bedrock: 'messageStop',
  'gemini-interactions': 'interaction.completed',
};

export const terminalFaults: ServerFaults = {
  'openai-chat-no-done': inUnits('openai-chat', '[DONE]', () => []),
  'openai-chat-no-terminal': {
    unit: combineFaults(
      unitFault('openai-chat', 'finish', () => []),
      unitFault('openai-chat', '[DONE]', () => []),
    ),
  },
  ...faultsFor(
    dialects.filter((dialect) => dialect !== 'openai-chat'),
    (dialect) => [`${dialect}-no-terminal`, inUnits(dialect, terminalOf[dialect], () => [])],
  ),
  ...faultsFor(
    dialects.filter((dialect) => dialect !== 'gemini'),
    (dialect) => [`${dialect}-two-terminals`, inUnits(dialect, terminalOf[dialect], (unit) => [unit, unit])],
  ),
  // Older models of Gemini put one and the same reason on every chunk.
  'gemini-two-terminals': inUnits('gemini', 'finish', (unit) => [
    withUnitValue(unit, ['candidates', 0, 'finishReason'], 'SAFETY'),
    unit,
  ]),
  'openai-chat-no-finish': inUnits('openai-chat', 'finish', (unit) => [
    withUnitValue(unit, ['choices', 0, 'finish_reason'], null),
  ]),
  'openai-chat-two-finishes': inUnits('openai-chat', 'finish', (unit) => [unit, unit]),
  'body-without-end': {
    unit: (unit, { what, streams, status, dialect }) =>
      what === 'answer' && !streams && status === 200 && dialect === 'anthropic'
        ? [withUnitValue(unit, ['stop_reason'], null)]
        : [unit],
  },
  lost: {
    unit: combineFaults(...dialects.map((dialect) => unitFault(dialect, terminalOf[dialect], () => []))),
    close: (close, context) =>
      isStreamedAnswer(context) ? [{ ...close, status: { code: 14, message: 'lost' } }] : [close],
  },
  hangs: {
    unit: combineFaults(...dialects.map((dialect) => unitFault(dialect, terminalOf[dialect], () => []))),
    close: (close, context) => (isStreamedAnswer(context) ? [] : [close]),
  },
  'channel-left-open': inUnits('lmstudio', 'channelClose', () => []),
};
