/** Servers whose answers end wrongly, or continue after their end: LLM-S01 to LLM-S03. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import {
  withUnitValue,
  kindOf,
  mutant,
  countUp,
  isStreamedAnswer,
  unitFault,
  combineFaults,
  valueOf,
} from './mutant.ts';
import type { FaultContext, ServerFault } from './mutant.ts';

/** The kind of each dialect's terminal. OpenAI Chat has two; this is the last. */
const terminalOf: { readonly [D in DialectName]: string } = {
  anthropic: 'message_stop',
  'openai-chat': '[DONE]',
  'openai-responses': 'response.completed',
  ollama: 'done',
  lmstudio: 'success',
};

/** A kind of unit with content, which the mutant repeats. */
const contentOf: { readonly [D in DialectName]: string } = {
  anthropic: 'content_block_delta',
  'openai-chat': 'chunk',
  'openai-responses': 'response.output_text.delta',
  ollama: 'line',
  lmstudio: 'fragment',
};

const each = <T>(make: (dialect: DialectName) => T): readonly T[] => dialects.map(make);

const contentType = (from: RegExp, to: string): ServerFault => ({
  headers: (headers, { what, status }) =>
    what === 'answer' && status === 200 && from.test(headers['content-type'] ?? '')
      ? { ...headers, 'content-type': to }
      : headers,
});

const framing: readonly Mutant[] = [
  mutant(
    'LLM-S01',
    'stream-as-text',
    'Its streams have the content type of plain text.',
    contentType(/stream|ndjson/, 'text/plain'),
  ),
  mutant(
    'LLM-S01',
    'body-as-html',
    'Its bodies have the content type of HTML.',
    contentType(/^application\/json/, 'text/html'),
  ),
  mutant('LLM-S01', 'latin-1', 'It sends the text of models as Latin-1.', {
    bytes: (bytes, { what }) => (what === 'answer' ? inLatin1(bytes) : bytes),
  }),
  mutant('LLM-S01', 'ping-in-python', 'Its pings are a Python dictionary as text, not JSON.', {
    unit: unitFault('anthropic', 'ping', (unit) => [{ ...unit, data: "{'type': 'ping'}" }]),
  }),
  mutant('LLM-S01', 'events-unnamed', "Anthropic's events have a type only in their data, and no name.", {
    unit: unitFault('anthropic', /./, ({ data, comment }) => (comment === true ? undefined : [{ data }])),
  }),
  mutant('LLM-S01', 'events-misnamed', 'All events of OpenAI Responses have the name message.', {
    unit: unitFault('openai-responses', /^response/, (unit) => [{ ...unit, event: 'message' }]),
  }),
];

function inLatin1(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text.replaceAll(/[\u0100-\uFFFF]/g, '?'), 'latin1');
}

const terminals: readonly Mutant[] = [
  ...each((dialect) =>
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

const after: readonly Mutant[] = [
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

/** The mutants of this theme. */
export const endMutants: readonly Mutant[] = [...framing, ...terminals, ...after];
