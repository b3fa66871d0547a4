/** The streamer's answers to requests for a generation, and for a count of tokens. */
import type { JsonObject, Metadata } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import type { Draft, UnitWriter } from './exchange.ts';
import { seededIds } from './ids.ts';
import { scriptPlayer } from './player.ts';
import type { PlayerState } from './player.ts';
import type { Script } from '../script/script.ts';
import { countPrompt, virtualTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { writes } from '../dialects/shared/utf8.ts';
import type { Generation, LlmRequest, ProviderError, RenderContext } from '../messages.ts';

/** What a provider is made of. */
export interface ProviderOptions {
  readonly script: Script;
  readonly random: (label: string) => Random;
  readonly tokenizer?: Tokenizer;
}

/** A request that is to be answered, and how its answer gets out. */
export interface ToAnswer {
  readonly request: LlmRequest;
  readonly dialect: Dialect;
  /** Names the exchange. */
  readonly key: string;
  /** The position of the request among all: its ids and its time are drawn by it. */
  readonly number: number;
  readonly outlet: Pick<UnitWriter, 'peer' | 'wrap'>;
}

/** What a request comes to. */
export type GeneratedAnswer =
  | {
      readonly kind: 'exchange';
      readonly exchange: Draft;
      readonly generation: Generation;
      readonly turn: number;
    }
  | { readonly kind: 'error'; readonly error: ProviderError; readonly turn?: number };

/** The script's side of a streamer. */
export interface Provider {
  readonly model: string;
  start(): PlayerState;
  answer(
    state: PlayerState,
    asked: ToAnswer,
  ): { readonly state: PlayerState; readonly answer: GeneratedAnswer };
  count(request: LlmRequest): number;
  countText(text: string): number;
  /** An id for the request of this number. */
  id(number: number): (prefix: string) => string;
}

/** Unix ms at which the first request is said to have come; each further one a second later. Seeded time, not real. */
const firstRequest = 1_767_225_600_000;

/** A provider that answers as a script says. */
export function providerOf({
  script,
  random,
  tokenizer = virtualTokenizer(script.tokenizer.units),
}: ProviderOptions): Provider {
  const player = scriptPlayer(script, { random, tokenizer });
  const id = (number: number): ((prefix: string) => string) => seededIds(random(`ids of request ${number}`));
  return {
    model: script.model,
    start: () => player.start(),
    count: (request) => countPrompt(request, tokenizer),
    countText: (text) => tokenizer.count(text),
    id,
    answer(state, asked) {
      const { request, number } = asked;
      const { state: next, turn, answer } = player.answer(state, request);
      if (answer.kind === 'error')
        return {
          state: next,
          answer: { kind: 'error', error: answer.error, ...(turn === undefined ? {} : { turn }) },
        };
      const { generation, variants, split, lines } = answer;
      const ending = { current: generation.end };
      const context: RenderContext = {
        request,
        get end() {
          return ending.current;
        },
        variants,
        now: firstRequest + number * 1000,
        id: id(number),
      };
      const exchange: Draft = {
        key: asked.key,
        outlet: {
          count: (text) => tokenizer.count(text),
          ...asked.outlet,
          cut: split === undefined ? undefined : (bytes) => writes(bytes, split),
          lines,
        },
        dialect: asked.dialect,
        context,
        ending,
        said: { text: '', open: undefined, length: 0, tokens: 0, calls: [], bytes: 0, units: 0 },
        beats: generation.beats[Symbol.iterator](),
        renderer: request.stream ? asked.dialect.renderer(context) : undefined,
        kept: [],
        pieces: [],
        full: false,
        waiting: undefined,
        due: 0,
        begun: false,
        over: false,
        settled: false,
      };
      return { state: next, answer: { kind: 'exchange', exchange, generation, turn: turn ?? 0 } };
    },
  };
}

/** Header fields of a request without the kit's own. */
export function fieldsOf(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith(':')));
}

/** What a request is, for logs and rules: no texts, but which tool results it brings. */
export function summaryOf(request: LlmRequest): JsonObject {
  const last = request.messages.at(-1);
  return {
    dialect: request.dialect,
    model: request.model,
    stream: request.stream,
    messages: request.messages.length,
    tools: request.tools.map(({ name }) => name),
    ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
    ...(last?.toolResults === undefined ? {} : { answers: last.toolResults.map(({ id }) => id) }),
  };
}
