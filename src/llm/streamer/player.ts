/** Plays a script: finds the turn that answers a request, and generates its answer. Pure: states are never changed. */
import type { Random } from '../../kit/world/index.ts';
import { generate } from './generation.ts';
import { seededIds } from './ids.ts';
import { misfit } from './match.ts';
import type { Script, ScriptTurn } from '../script/script.ts';
import { virtualTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { Generation, LlmRequest, ProviderError } from '../messages.ts';

/** The position of a player in its script. */
export interface PlayerState {
  /** Requests answered so far. */
  readonly requests: number;
  /** How many requests each turn has answered. */
  readonly used: readonly number[];
}

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
  /** Answers one request. */
  answer(state: PlayerState, request: LlmRequest): Played;
}

/** Options of a player. */
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
  const { random, tokenizer = virtualTokenizer(script.tokenizer.units) } = options;
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
        return { state: { ...state, requests: number }, error: noTurn(script, state, request) };
      const used = state.used.with(index, (state.used[index] ?? 0) + 1);
      const next = { requests: number, used };
      const [first] = turn.steps;
      if (first?.do === 'error') return { state: next, index, error: first.error };
      const ids = seededIds(random(`ids ${number}`));
      const jitter = (): Random => random(`jitter ${number}`);
      return {
        state: next,
        index,
        turn,
        generation: generate(turn, request, { tokenizer, ids, random: jitter }),
      };
    },
  };
}

const isLeft = (turn: ScriptTurn, used = 0): boolean => turn.times === 'always' || used < turn.times;

const fits = (turn: ScriptTurn, request: LlmRequest): boolean =>
  turn.match === undefined || misfit(turn.match, request) === undefined;

/** Most turns that a refusal names. */
const mostNamed = 5;

function noTurn({ turns }: Script, state: PlayerState, request: LlmRequest): ProviderError {
  const wants = turns.flatMap((turn, i) => {
    const reason = isLeft(turn, state.used[i]) && turn.match && misfit(turn.match, request);
    return typeof reason === 'string' ? [`turn ${i + 1} wants ${reason}`] : [];
  });
  const known = `the script has ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} and this is request ${state.requests + 1}`;
  const why =
    wants.length === 0
      ? 'all of them are used up; add a turn, or say times: always'
      : `none that is left fits it: ${wants.slice(0, mostNamed).join('; ')}${wants.length > mostNamed ? '; …' : ''}`;
  return { type: 'invalid_request', status: 400, message: `${known}; ${why}` };
}
