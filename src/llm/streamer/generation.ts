/** Generates what a turn says, beat by beat and lazily, so that an abort stops the generating. */
import { isObject } from '../../kit/base/index.ts';
import type { Json, OpenCall, StopReason, ToolCall, Usage } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { offsetOf } from './cut.ts';
import { planOf } from './generation-plan.ts';
import type { Plan, PlannedBlock, PlanTools } from './generation-plan.ts';
import { partedAt, pauseOf, piecesOf } from './pacing.ts';
import type { Offset, ScriptTurn } from '../script/script.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { GenerationStep, Generation, LlmRequest, Thinking } from '../messages.ts';

/** What generating depends on beside the turn and the request. */
export interface GenerateTools extends PlanTools {
  /** Fresh randomness for the jitter of one run over the beats: the same each time. */
  readonly random: () => Random;
}

/**
 * What a turn answers to a request. The request's limit and the turn's hold, whichever is lower: where the tokenizer
 * reaches it the generation is cut, also inside a call. The beats can be gone through several times, always the same.
 */
export function generate(turn: ScriptTurn, request: LlmRequest, tools: GenerateTools): Generation {
  const plan = planOf(turn, request, tools);
  return {
    beats: { [Symbol.iterator]: () => new StepOutputs(turn, tools).run(plan) },
    end: plan.end,
  };
}

/** One run over the beats of a plan. */
class StepOutputs {
  readonly #turn: ScriptTurn;
  readonly #tokenizer: Tokenizer;
  readonly #random: Random;
  /** Pieces so far, for pauses and pings. */
  #pieces = 0;

  constructor(turn: ScriptTurn, tools: GenerateTools) {
    this.#turn = turn;
    this.#tokenizer = tools.tokenizer;
    this.#random = tools.random();
  }

  *run({ steps }: Plan): Generator<GenerationStep> {
    let index = 0;
    for (const [i, step] of steps.entries()) {
      if (step.do === 'block') yield* this.#block(index++, step, holdsAfter(steps, i));
      else if (step.do !== 'barrier') yield step;
      else if (step.at === undefined) yield { do: 'barrier', name: step.name };
    }
  }

  *#block(
    index: number,
    { block, text, complete }: PlannedBlock,
    holds: readonly Hold[],
  ): Generator<GenerationStep> {
    yield { do: 'open', index, block, text };
    const stops = holds
      .map(({ name, at }) => ({ name, offset: offsetOf(text, at, this.#tokenizer) }))
      .toSorted((a, b) => a.offset - b.offset);
    const pieces = piecesOf(text, this.#turn.chunk, this.#tokenizer);
    const offsets = stops.map(({ offset }) => offset);
    const { delay, jitter, pings } = this.#turn;
    let at = 0;
    let held = 0;
    for (const piece of offsets.length === 0 ? pieces : partedAt(pieces, offsets)) {
      for (; held < stops.length && (offsets[held] ?? 0) <= at; held++)
        yield { do: 'barrier', name: stops[held]?.name ?? '' };
      const ms = this.#pieces === 0 ? 0 : pauseOf(delay, jitter, this.#random);
      if (ms > 0) yield { do: 'wait', ms };
      yield { do: 'piece', index, text: piece };
      this.#pieces++;
      if (pings > 0 && this.#pieces % pings === 0) yield { do: 'ping' };
      at += piece.length;
    }
    for (const { name } of stops.slice(held)) yield { do: 'barrier', name };
    yield { do: 'close', index, text, complete };
  }
}

/** A barrier inside a block. */
interface Hold {
  readonly name: string;
  readonly at: Offset;
}

/** The barriers inside the block at `i`: those with a place that follow before the next block. */
function holdsAfter(steps: Plan['steps'], i: number): Hold[] {
  const holds: Hold[] = [];
  for (let j = i + 1; ; j++) {
    const step = steps[j];
    if (step === undefined || step.do === 'block') return holds;
    if (step.do === 'barrier' && step.at !== undefined) holds.push({ name: step.name, at: step.at });
  }
}

/** What a generation says in sum: what a client must make of it, as far as the dialect can carry it. */
export interface GenerationTranscript {
  readonly thinking: readonly Thinking[];
  readonly text: string;
  /** Whole calls whose arguments are an object, in order. */
  readonly toolCalls: readonly ToolCall[];
  /** The call that was cut. */
  readonly open?: OpenCall;
  readonly stop: StopReason;
  readonly usage: Usage;
}

/** Sums up a generation; tests hold clients to it. */
export function said({ beats, end }: Generation): GenerationTranscript {
  const thinking: Thinking[] = [];
  const toolCalls: ToolCall[] = [];
  let text = '';
  let open: OpenCall | undefined;
  const blocks = new Map<number, PlannedBlock['block']>();
  for (const beat of beats) {
    if (beat.do === 'open') blocks.set(beat.index, beat.block);
    if (beat.do !== 'close') continue;
    const block = blocks.get(beat.index);
    if (block?.kind === 'text') text += beat.text;
    else if (block?.kind === 'thinking') thinking.push(thought(beat.text, block.signature));
    else if (block?.kind === 'tool_call') {
      const { id, name } = block;
      const input = beat.complete ? objectIn(beat.text) : undefined;
      if (input !== undefined) toolCalls.push({ id, name, input });
      else open = { id, name, partial: beat.text };
    }
  }
  const sum = { thinking, text, toolCalls, stop: end.stop, usage: end.usage };
  return open === undefined ? sum : { ...sum, open };
}

const thought = (text: string, signature: string | undefined): Thinking =>
  signature === undefined ? { text } : { text, signature };

function objectIn(json: string): Json | undefined {
  try {
    const value = JSON.parse(json) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
