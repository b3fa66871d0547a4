/** Plays a script: says for each request which turn answers it, and with what. Pure; its state is handed over. */
import type { Random } from '../../kit/world/index.ts';
import { generate } from './generation.ts';
import { seededIds } from './ids.ts';
import { misfit } from './match.ts';
import type { LineEnd, Script, Split, ScriptTurn } from '../script/script.ts';
import { virtualTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { Generation, LlmRequest, ProviderError, Variants } from '../messages.ts';

/** Where a player is in its script. */
export interface PlayerState {
  /** Requests answered so far. */
  readonly requests: number;
  /** How many requests each turn has answered. */
  readonly used: readonly number[];
}

/** What a request is answered with. */
export type ScriptAnswer =
  | {
      readonly kind: 'generation';
      readonly generation: Generation;
      readonly variants: Variants;
      /** How its bytes are parted into writes; absent: not at all. */
      readonly split?: Split;
      readonly lines: LineEnd;
    }
  /** Instead of a stream. Its `status` is there. */
  | { readonly kind: 'error'; readonly error: ProviderError };

/** The answer to a request, the turn that gave it (from 0; absent: none was left), and the next state. */
export interface Played {
  readonly state: PlayerState;
  readonly turn?: number;
  readonly answer: ScriptAnswer;
}

/** A script in play. */
export interface Player {
  readonly script: Script;
  /** Counts its requests; the counting endpoints use it, too. */
  readonly tokenizer: Tokenizer;
  /** The state before the first request. */
  start(): PlayerState;
  /** Answers one request; the state that is handed in stays as it is. */
  answer(state: PlayerState, request: LlmRequest): Played;
}

/** What a player depends on. */
export interface PlayerOptions {
  /** Fresh randomness for a label; the same label gives the same sequence. */
  readonly random: (label: string) => Random;
  /** Instead of the script's virtual one. */
  readonly tokenizer?: Tokenizer;
}

/**
 * Makes a player. A request is answered by the first turn that has not been used up and that fits it; when there is none
 * it is refused (400 `invalid_request`) with the reason. The same script, randomness and requests give the same answers.
 *
 * @example
 * const checked = checkScript({ turns: [{ steps: [{ text: 'Hello' }] }] });
 * if (!checked.ok) throw new Error(checked.error.message);
 * const player = scriptPlayer(checked.value, { random: seededRandom });
 * const request: LlmRequest = { dialect: 'ollama', model: 'm', messages: [], tools: [], stream: true, includeUsage: true };
 * const first = player.answer(player.start(), request);
 * first.answer.kind; // 'generation'
 * player.answer(first.state, request).answer.kind; // 'error'
 */
export function scriptPlayer(script: Script, options: PlayerOptions): Player {
  const tokenizer = options.tokenizer ?? virtualTokenizer(script.tokenizer.units);
  const { turns } = script;
  return {
    script,
    tokenizer,
    start: () => ({ requests: 0, used: turns.map(() => 0) }),
    answer(state, request) {
      const number = state.requests + 1;
      const index = turns.findIndex((turn, i) => isLeft(turn, state.used[i]) && fits(turn, request));
      const turn = turns[index];
      if (turn === undefined)
        return { state: { ...state, requests: number }, answer: noTurn(script, state, request) };
      const used = state.used.with(index, (state.used[index] ?? 0) + 1);
      const answer = answerOf(turn, request, number, { ...options, tokenizer });
      return { state: { requests: number, used }, turn: index, answer };
    },
  };
}

const isLeft = (turn: ScriptTurn, used = 0): boolean => turn.times === 'always' || used < turn.times;

const fits = (turn: ScriptTurn, request: LlmRequest): boolean =>
  turn.match === undefined || misfit(turn.match, request) === undefined;

function answerOf(
  turn: ScriptTurn,
  request: LlmRequest,
  number: number,
  options: Required<PlayerOptions>,
): ScriptAnswer {
  const [first] = turn.steps;
  if (first?.do === 'error') return { kind: 'error', error: first.error };
  const { random, tokenizer } = options;
  const generation = generate(turn, request, {
    tokenizer,
    ids: seededIds(random(`ids ${number}`)),
    random: () => random(`jitter ${number}`),
  });
  const { variants, split, lines } = turn;
  return { kind: 'generation', generation, variants, ...(split !== undefined && { split }), lines };
}

/** Most turns that a refusal speaks of. */
const mostNamed = 5;

function noTurn({ turns }: Script, state: PlayerState, request: LlmRequest): ScriptAnswer {
  const wants = turns.flatMap((turn, i) => {
    const reason = isLeft(turn, state.used[i]) && turn.match && misfit(turn.match, request);
    return typeof reason === 'string' ? [`turn ${i + 1} wants ${reason}`] : [];
  });
  const known = `the script has ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} and this is request ${state.requests + 1}`;
  const why =
    wants.length === 0
      ? 'all of them are used up; add a turn, or say times: always'
      : `none that is left fits it: ${wants.slice(0, mostNamed).join('; ')}${wants.length > mostNamed ? '; …' : ''}`;
  return { kind: 'error', error: { type: 'invalid_request', status: 400, message: `${known}; ${why}` } };
}
