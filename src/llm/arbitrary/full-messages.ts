/** Generators of the messages of full requests, with the parts that a dialect has words for. */
import fc from 'fast-check';
import { exactText } from '../../kit/base/index.ts';
import { bytesOfText } from '../gateway/request/media.ts';
import type { Effort, FullRequest, Media, Message, Part } from '../gateway/request/request.ts';
import { anyToolName } from './request.ts';
import { anyArguments, anyWords } from './text.ts';

/** What the generators need to know of a dialect. Source: gateway.md, "Requests: who has a word", and the SDKs' typings. */
export interface Words {
  readonly thoughts: 'signed' | 'sealed' | 'plain';
  /** The media of the user, and of results. */
  readonly media: readonly ('image' | 'image url' | 'pdf' | 'text file' | 'file url')[];
  readonly resultMedia: boolean;
  /** Whether a content can have several texts, and refusals. */
  readonly texts: boolean;
  readonly refusals: boolean;
  readonly failures: boolean;
  /** Whether results have the names of their tools. */
  readonly resultNames: boolean;
  readonly leadingSystem: number;
  readonly members: readonly (keyof FullRequest)[];
  readonly format: 'schema' | 'named' | 'unnamed';
  readonly efforts: readonly Exclude<Effort, object>[];
  readonly budgets: boolean;
  readonly mostTemperature: number;
}

const pictures = ['iVBORw0KGgoAAAANSUhEUg==', '/9j/4AAQSkZJRgABAQ==', 'R0lGODlhAQABAIAAAA=='] as const;
const mimes = ['image/png', 'image/jpeg', 'image/gif'] as const;
const name = { name: anyWords };

const mediaOf: { readonly [K in Words['media'][number]]: fc.Arbitrary<Media> } = {
  image: fc
    .nat({ max: 2 })
    .map((i) => ({ kind: 'image', mime: mimes[i] ?? mimes[0], data: pictures[i] ?? pictures[0] })),
  'image url': fc.constant({ kind: 'image', url: 'https://example.com/a.png' }),
  pdf: fc.record(
    {
      kind: fc.constant('file' as const),
      mime: fc.constant('application/pdf'),
      data: fc.base64String({ minLength: 4 }),
      ...name,
    },
    { requiredKeys: ['kind', 'mime', 'data'] },
  ),
  'text file': fc.record(
    {
      kind: fc.constant('file' as const),
      mime: fc.constant('text/plain'),
      data: anyWords.map(bytesOfText),
      ...name,
    },
    { requiredKeys: ['kind', 'mime', 'data'] },
  ),
  'file url': fc.record(
    { kind: fc.constant('file' as const), url: fc.constant('https://example.com/a.pdf'), ...name },
    { requiredKeys: ['kind', 'url'] },
  ),
};

const anyMedia = ({ media }: Words): fc.Arbitrary<Media> => fc.oneof(...media.map((kind) => mediaOf[kind]));

const anyTexts = ({ texts }: Words, minLength: number): fc.Arbitrary<readonly Part[]> => {
  const text = fc.record({ kind: fc.constant('text' as const), text: anyWords });
  if (!texts) return fc.array(text, { minLength, maxLength: 1 });
  const marked = text.map((part): Part => ({ ...part, more: { x_part: 1 } }));
  return fc.array(fc.oneof(text, text, marked), { minLength, maxLength: 2 });
};

/** Texts, then media, which Ollama has beside each other. */
const anyContent = (words: Words, minTexts = 1): fc.Arbitrary<readonly Part[]> =>
  fc
    .tuple(anyTexts(words, minTexts), fc.array(anyMedia(words), { maxLength: 2 }))
    .map(([texts, media]) => [...texts, ...media]);

function anyThoughts({ thoughts }: Words): fc.Arbitrary<readonly Part[]> {
  const signature = fc.base64String({ minLength: 4, maxLength: 20 });
  const thought = { kind: fc.constant('thought' as const), text: anyWords };
  if (thoughts === 'plain') return fc.array(fc.record(thought), { maxLength: 1 });
  const signed = fc.record({ ...thought, signature });
  if (thoughts === 'sealed') return fc.array(signed, { maxLength: 2 });
  const redacted = fc.record({ kind: fc.constant('redacted' as const), data: signature });
  return fc.array(fc.oneof(signed, redacted), { maxLength: 2 });
}

/** Arguments with integers that only a bigint holds. */
const anyArgumentsText: fc.Arbitrary<string> = fc
  .tuple(anyArguments, fc.constantFrom(undefined, 2n ** 53n + 1n, 2n ** 64n - 1n, -(2n ** 63n)))
  .map(([object, long]) => exactText(long === undefined ? object : { ...object, long }));

interface Round {
  readonly system: readonly Part[];
  readonly user: readonly Part[];
  readonly thoughts: readonly Part[];
  readonly said: readonly Part[];
  readonly refused: boolean;
  readonly calls: readonly {
    readonly name: string;
    readonly arguments: string;
    readonly parts: readonly Part[];
    readonly failed: boolean;
    readonly named: boolean;
  }[];
  /** Whether the user's next words stand in the message of the results. */
  readonly atOnce: boolean;
}

function anyRound(words: Words): fc.Arbitrary<Round> {
  const result = words.resultMedia ? anyContent(words, 0) : anyTexts(words, 0);
  return fc.record({
    system: fc.oneof(fc.constant([]), anyTexts(words, 1)),
    user: anyContent(words),
    thoughts: anyThoughts(words),
    said: anyTexts(words, 0),
    refused: words.refusals ? fc.boolean() : fc.constant(false),
    calls: fc.array(
      fc.record({
        name: anyToolName,
        arguments: anyArgumentsText,
        parts: result,
        failed: words.failures ? fc.boolean() : fc.constant(false),
        named: fc.constant(words.resultNames),
      }),
      { maxLength: 3 },
    ),
    atOnce: fc.boolean(),
  });
}

/** Rounds of the user, the assistant, and the results of its calls. Roles alternate, but for the system's messages. */
export const anyConversation = (words: Words): fc.Arbitrary<readonly Message[]> =>
  fc
    .tuple(
      fc.array(anyTexts(words, 1), { maxLength: words.leadingSystem }),
      fc.array(anyRound(words), { minLength: 1, maxLength: 4 }),
    )
    .map(([system, rounds]) => {
      const messages: Message[] = system.map((parts) => ({ role: 'system', parts }));
      let results: readonly Part[] = [];
      for (const [i, round] of rounds.entries()) {
        if (results.length > 0 && !round.atOnce) {
          messages.push(
            { role: 'user', parts: results },
            { role: 'assistant', parts: [{ kind: 'text', text: 'Go on.' }] },
          );
          results = [];
        }
        const { asked, answered } = turnOf(round, i);
        if (i > 0 && results.length === 0 && round.system.length > 0)
          messages.push({ role: 'system', parts: round.system });
        messages.push(
          { role: 'user', parts: [...results, ...round.user] },
          { role: 'assistant', parts: asked },
        );
        results = answered;
      }
      return results.length > 0 ? [...messages, { role: 'user', parts: results }] : messages;
    });

/** The message of the assistant in a round, and the results of its calls. */
function turnOf(
  { thoughts, said, refused, calls }: Round,
  round: number,
): { readonly asked: readonly Part[]; readonly answered: readonly Part[] } {
  const ids = calls.map((_call, i) => `call_${round}_${i}`);
  const texts: readonly Part[] =
    said.length === 0 && calls.length === 0 ? [{ kind: 'text', text: 'Yes.' }] : said;
  return {
    asked: [
      ...thoughts,
      ...texts.map((part): Part => (refused && part.kind === 'text' ? { ...part, refusal: true } : part)),
      ...calls.map(({ name, arguments: text }, i): Part => ({
        kind: 'call',
        id: ids[i] ?? '',
        name,
        arguments: text,
      })),
    ],
    answered: calls.map(({ name, parts, failed, named }, i): Part => ({
      kind: 'result',
      id: ids[i] ?? '',
      ...(named ? { name } : {}),
      parts,
      ...(failed ? { failed: true } : {}),
    })),
  };
}
