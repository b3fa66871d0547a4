/** Plays a script: finds the turn that answers a request, and generates its answer. Pure: states are never changed. */
import type { Random } from '../../kit/world/index.ts';
import { generate } from './generation.ts';
import type { PlayerState } from './conversations.ts';
import { placeOf, withAnswer } from './place.ts';
import type { Place } from './place.ts';
import { seededIds } from './ids.ts';
import { misfit } from './match.ts';
import type { Conversations, Script, ScriptTurn } from '../script/script.ts';
import { virtualTokenizer } from '../dialects/shared/tokenizer.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';
import type { Generation, LlmRequest, ProviderError } from '../messages.ts';

/** The answer to a request, and the next state. `index` is the position of the turn that answers, from 0. */
export type Played = { readonly state: PlayerState } & (
  | { readonly generation: Generation; readonly turn: ScriptTurn; readonly index: number }
  /** An error instead of a stream, with its `status`. Without `index` no turn fits. */
  | { readonly error: ProviderError; readonly index?: number }
);

/** A script in play. */
export interface Player {
  readonly script: Script;
  /** Counts tokens, also for the counting endpoints. */
  readonly tokenizer: Tokenizer;
  /** The state before the first request. */
  start(): PlayerState;
  /**
   * Answers one request. `isOpen` says whether the answer to an earlier request, by its number from 1, is still being
   * sent; the default is that all are over.
   */
  answer(state: PlayerState, request: LlmRequest, isOpen?: (request: number) => boolean): Played;
  /** The state after the client left during the answer to the request of this number. */
  interrupted(state: PlayerState, request: number): PlayerState;
}

export interface PlayerOptions {
  /** Fresh randomness for a label; the same label gives the same sequence. */
  readonly random: (label: string) => Random;
  /** Replaces the script's virtual tokenizer. */
  readonly tokenizer?: Tokenizer;
}

/**
 * Makes a player. The first turn that fits a request and is not used up answers it; without one it is refused (400
 * `invalid_request`) with the reason. The same script, randomness and requests give the same answers.
 *
 * @example
 * const checked = checkScript({ turns: [{ steps: [{ text: 'Hello' }] }] });
 * if (!checked.ok) throw new Error(checked.error.message);
 * const player = scriptPlayer(checked.value, { random: seededRandom });
 * const request: LlmRequest = { dialect: 'ollama', model: 'm', messages: [], tools: [], stream: true, includeUsage: true };
 * const first = player.answer(player.start(), request);
 * 'generation' in first; // true
 * 'error' in player.answer(first.state, request); // true
 */
export function scriptPlayer(script: Script, options: PlayerOptions): Player {
  const { tokenizer = virtualTokenizer(script.tokenizer.units) } = options;
  const play = new Play(script, options.random, tokenizer);
  return {
    script,
    tokenizer,
    start: () => ({ requests: 0, used: script.turns.map(() => 0) }),
    answer: (state, request, isOpen = () => false) => play.answer(state, request, isOpen),
    interrupted(state, request) {
      const { conversations = [] } = state;
      const at = conversations.findIndex(({ latest }) => latest === request);
      const one = conversations[at];
      if (one === undefined) return state;
      return { ...state, conversations: conversations.with(at, { ...one, whole: false }) };
    },
  };
}

/** The answers of a script; has no state of its own. */
class Play {
  readonly #script: Script;
  readonly #random: (label: string) => Random;
  readonly #tokenizer: Tokenizer;
  readonly #mode: Conversations;

  constructor(script: Script, random: (label: string) => Random, tokenizer: Tokenizer) {
    this.#script = script;
    this.#random = random;
    this.#tokenizer = tokenizer;
    // Without a count, nothing depends on the conversation.
    const counts = script.turns.some(({ times }) => times !== 'always');
    this.#mode = counts ? (script.conversations ?? 'auto') : 'one';
  }

  answer(state: PlayerState, request: LlmRequest, isOpen: (request: number) => boolean): Played {
    const number = state.requests + 1;
    const place = placeOf(state, this.#mode, request, isOpen);
    const { turns } = this.#script;
    const index = turns.findIndex((turn, i) => isLeft(turn, place.used[i]) && fits(turn, request));
    const found = turns[index];
    if (found === undefined)
      return { state: { ...state, requests: number }, error: noTurn(this.#script, place, number, request) };
    const used = place.used.with(index, (place.used[index] ?? 0) + 1);
    const turn = found.respond === undefined ? found : made(found, request);
    const [first] = turn.steps;
    if (first?.do === 'error')
      return { state: withAnswer(state, place, used, undefined), index, error: first.error };
    const ids = seededIds(this.#random(`ids ${number}`));
    const random = (): Random => this.#random(`jitter ${number}`);
    const generation = generate(turn, request, { tokenizer: this.#tokenizer, ids, random });
    return { state: withAnswer(state, place, used, generation), index, turn, generation };
  }
}

/** The answer that a turn makes in code. A failure of the code is an error of the provider. */
function made(turn: ScriptTurn, request: LlmRequest): ScriptTurn {
  try {
    return turn.respond?.(request) ?? turn;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const failure = { type: 'server', status: 500, message: `the turn's function failed: ${why}` };
    return { ...turn, steps: [{ do: 'error', error: failure }] };
  }
}

const isLeft = (turn: ScriptTurn, used = 0): boolean => turn.times === 'always' || used < turn.times;

const fits = (turn: ScriptTurn, request: LlmRequest): boolean =>
  turn.match === undefined || misfit(turn.match, request) === undefined;

/** Most turns that a refusal names. */
const mostNamed = 5;

function noTurn({ turns }: Script, { used, own }: Place, number: number, request: LlmRequest): ProviderError {
  const wants = turns.flatMap((turn, i) => {
    const reason = isLeft(turn, used[i]) && turn.match && misfit(turn.match, request);
    return typeof reason === 'string' ? [`turn ${i + 1} wants ${reason}`] : [];
  });
  const known = `the script has ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} and this is request ${own ? `${used.reduce((sum, n) => sum + n, 1)} of its conversation` : number}`;
  const why =
    wants.length === 0
      ? 'all of them are used up; add a turn, or say times: always'
      : `none that is left fits it: ${wants.slice(0, mostNamed).join('; ')}${wants.length > mostNamed ? '; …' : ''}`;
  return { type: 'invalid_request', status: 400, message: `${known}; ${why}` };
}
