/** Servers whose answers end wrongly, or that say more than they should: LLM-S01 to LLM-S03. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { changed, kindOf, mutant, nth, streamed, unitFault, units, valueOf } from './mutant.ts';
import type { FaultContext, ServerFault } from './mutant.ts';

/** The kind of each dialect's terminal; of chat's two the last. */
const terminalOf: { readonly [D in DialectName]: string } = {
  anthropic: 'message_stop',
  'openai-chat': '[DONE]',
  'openai-responses': 'response.completed',
  ollama: 'done',
  lmstudio: 'success',
};

/** A kind of unit that carries content, to say once more. */
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
    'Its streams say that they are plain text.',
    contentType(/stream|ndjson/, 'text/plain'),
  ),
  mutant(
    'LLM-S01',
    'body-as-html',
    'Its bodies say that they are HTML.',
    contentType(/^application\/json/, 'text/html'),
  ),
  mutant('LLM-S01', 'latin-1', 'It sends the text of models as Latin-1, where they leave ASCII.', {
    bytes: (bytes, { what }) => (what === 'answer' ? inLatin1(bytes) : bytes),
  }),
  mutant('LLM-S01', 'ping-in-python', 'Its pings are the text of a dictionary in Python, and no JSON.', {
    unit: unitFault('anthropic', 'ping', (unit) => [{ ...unit, data: "{'type': 'ping'}" }]),
  }),
  mutant('LLM-S01', 'events-unnamed', "Anthropic's events have no names but those in their data.", {
    unit: unitFault('anthropic', /./, ({ data, comment }) => (comment === true ? undefined : [{ data }])),
  }),
  mutant('LLM-S01', 'events-misnamed', 'Events of OpenAI Responses are all called message.', {
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
  mutant('LLM-S02', 'openai-chat-no-finish', 'It says [DONE], and never why.', {
    unit: unitFault('openai-chat', 'finish', (unit) => [
      changed(unit, ['choices', 0, 'finish_reason'], null),
    ]),
  }),
  mutant('LLM-S02', 'openai-chat-two-finishes', 'It gives two reasons for the end, one after the other.', {
    unit: unitFault('openai-chat', 'finish', (unit) => [unit, unit]),
  }),
  mutant('LLM-S02', 'body-without-end', 'Its messages that are not streamed have no stop reason.', {
    unit: (unit, { what, streams, status, dialect }) =>
      what === 'answer' && !streams && status === 200 && dialect === 'anthropic'
        ? [changed(unit, ['stop_reason'], null)]
        : [unit],
  }),
  mutant('LLM-S02', 'lost', 'It loses the connection where it should say that it is done.', {
    unit: units(...each((dialect) => unitFault(dialect, terminalOf[dialect], () => []))),
    close: (close, context) =>
      streamed(context) ? [{ ...close, status: { code: 14, message: 'lost' } }] : [close],
  }),
  mutant('LLM-S02', 'hangs', 'It never says that it is done, and never lets go.', {
    unit: units(...each((dialect) => unitFault(dialect, terminalOf[dialect], () => []))),
    close: (close, context) => (streamed(context) ? [] : [close]),
  }),
  mutant('LLM-S02', 'channel-left-open', 'Channels that succeeded are not closed.', {
    unit: unitFault('lmstudio', 'channelClose', () => []),
  }),
];

/** Says the first content of an exchange again, after a unit of this kind. */
function again(dialect: DialectName, after: string): ServerFault {
  const kept = new WeakMap<FaultContext, Unit>();
  return {
    unit: (unit, context) => {
      if (context.dialect !== dialect || !streamed(context)) return [unit];
      const kind = kindOf(unit, context);
      if (kind === contentOf[dialect] && says(unit, dialect) && !kept.has(context)) kept.set(context, unit);
      const first = kept.get(context);
      return kind === after && first !== undefined && nth(context, 'again') === 1 ? [unit, first] : [unit];
    },
  };
}

/** Of the chunks of chat the first says nothing but a role. */
const says = (unit: Unit, dialect: DialectName): boolean =>
  dialect !== 'openai-chat' || valueOf(unit, 'choices', 0, 'delta', 'role') === undefined;

const after: readonly Mutant[] = [
  ...each((dialect) =>
    mutant(
      'LLM-S03',
      `${dialect}-more`,
      `In ${dialect}, content follows the terminal.`,
      again(dialect, terminalOf[dialect]),
    ),
  ),
  mutant(
    'LLM-S03',
    'openai-chat-after-finish',
    'Content follows the chunk that says why the answer ends.',
    again('openai-chat', 'finish'),
  ),
  mutant(
    'LLM-S03',
    'lmstudio-after-close',
    'A channel that was closed goes on.',
    again('lmstudio', 'channelClose'),
  ),
];

/** Every mutant of this theme. */
export const endMutants: readonly Mutant[] = [...framing, ...terminals, ...after];
