/** What nobody knows does no harm (LLM-G46), and passes between two equal dialects, both ways (LLM-G47). */
import type { GatewayDialect, NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { wordsIn } from '../exchanges.ts';
import type { Above, Below } from '../exchanges.ts';
import { noiseWord, noiseWords } from '../noise-words.ts';
import { shown } from '../../server/words.ts';
import type { Twin } from '../twins.ts';
import type { Answered } from './answered.ts';
import { difference } from './twins.ts';

/** All texts of an answer. */
const textsOf = ({ text, refusal, thoughts, calls, error }: NeutralAnswer): string =>
  [
    text,
    refusal,
    ...thoughts.map((thought) => thought.text),
    ...calls.flatMap((call) => [call.name, call.text]),
    error?.message ?? '',
  ].join('\n');

/** LLM-G46, where an answer came. `earlier`: the answers of the case that came before. */
export function noiseFacts(answered: Answered, earlier: readonly Twin[]): readonly GatewayFact[] {
  const { above, below, sent, heard } = answered;
  if (!below.sent.noise.came) return [];
  const own = new Set(noiseWords(textsOf(sent)));
  const word = noiseWords(textsOf(heard)).find((one) => !own.has(one));
  if (word !== undefined)
    return [broken('LLM-G46', `expected no content but the provider's; came ${quoted(word)}`)];
  const plain = plainTwin(answered, earlier);
  const changed = plain && difference(plain.heard, heard);
  return changed === undefined || above.heard.status !== 200
    ? [kept('LLM-G46')]
    : [broken('LLM-G46', `expected the same answer with unknown events and members; came ${changed}`)];
}

/** LLM-G46, where no answer came: without the noise, it came. */
export function noiseHarm(answered: Answered, earlier: readonly Twin[]): readonly GatewayFact[] {
  if (!answered.below.sent.noise.came || plainTwin(answered, earlier) === undefined) return [];
  const { message = 'no answer' } = answered.heard.error ?? {};
  return [
    broken(
      'LLM-G46',
      `expected the answer that came without unknown events and members; came ${quoted(message)}`,
    ),
  ];
}

/** An earlier answer that said the same in the same form, without noise. */
const plainTwin = ({ above, sent }: Answered, earlier: readonly Twin[]): Twin | undefined =>
  earlier.find(
    (other) =>
      !other.noisy && other.streamed === above.heard.streamed && difference(other.sent, sent) === undefined,
  );

/** LLM-G47: the unknown members and events of a provider reach a client of its dialect. */
export function passedFacts({ above, below }: Answered): readonly GatewayFact[] {
  const { words } = below.sent.noise;
  if (above.dialect !== below.dialect || words.size === 0) return [];
  const lost = [...words].find((word) => !above.heard.noise.words.has(word));
  return [
    held(
      'LLM-G47',
      lost === undefined,
      () => `expected the unknown member with ${lost ?? ''}; it did not come`,
    ),
  ];
}

/** The header fields by which a client asks for what is not in the API yet. */
const betasOf: { readonly [D in GatewayDialect]: readonly string[] } = {
  anthropic: ['anthropic-beta'],
  'openai-chat': ['openai-beta'],
  'openai-responses': ['openai-beta'],
  ollama: [],
};

/** LLM-G47: the unknown members and beta header fields of a client reach a provider of its dialect. */
export function passedRequestFacts(above: Above, below: Below): readonly GatewayFact[] {
  if (above.dialect !== below.dialect) return [];
  const words = wordsIn(above.body ?? null, noiseWord);
  const came = wordsIn(below.body ?? null, noiseWord);
  const lost = words.find((word) => !came.includes(word));
  const betas = betasOf[above.dialect];
  const beta = betas.find((name) => lacks(above.headers[name], below.headers[name]));
  const isAsked = words.length > 0 || betas.some((name) => above.headers[name] !== undefined);
  if (lost !== undefined)
    return [broken('LLM-G47', `expected the unknown member with ${lost}; it did not come`)];
  if (beta === undefined) return isAsked ? [kept('LLM-G47')] : [];
  const value = below.headers[beta];
  const what = value === undefined ? 'it did not come' : `came ${value}`;
  return [
    broken(
      'LLM-G47',
      `expected ${beta}: ${above.headers[beta] ?? ''} in the request to the provider; ${what}`,
    ),
  ];
}

/** Whether a list in a header field lacks an item of another one. A gateway may add some. */
const lacks = (due: string | undefined, came = ''): boolean =>
  due?.split(',').some((item) => !came.split(',').some((other) => other.trim() === item.trim())) === true;

/** LLM-G47: a request that the gateway refuses itself, for its unknown members; undefined: it has none. */
export function unknownRefused({
  dialect,
  about,
  body = null,
  heard,
}: Above): readonly GatewayFact[] | undefined {
  const { provider = dialect } = about;
  const isRefused = heard.status >= 400 && heard.status < 500;
  if (provider !== dialect || !isRefused || wordsIn(body, noiseWord).length === 0) return undefined;
  const came = `${heard.status} ${shown(heard.body)}`;
  return [broken('LLM-G47', `expected the unknown members to reach the provider; came ${came}`)];
}
