/** Generates the answer of a turn lazily: each step when it is taken. */
import { isObject } from '../../kit/base/index.ts';
import type { OpenCall, StopReason, ToolCall, Usage } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import { parseJson } from '../dialects/shared/arguments.ts';
import { offsetOf } from './cut.ts';
import { planOf } from './generation-plan.ts';
import type { PlanTools, PlannedStep } from './generation-plan.ts';
import { partedAt, pauseOf, piecesOf } from './pacing.ts';
import type { ScriptTurn } from '../script/script.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';
import type { GeneratedBlock, Generation, GenerationStep, LlmRequest, Thinking } from '../messages.ts';

export interface GenerateTools extends PlanTools {
  /** Fresh randomness for the jitter of one iteration; the same sequence each time. */
  readonly random: () => Random;
}

/**
 * The answer of a turn to a request. It is cut, also inside a call, where the tokenizer reaches the lower of the
 * request's limit and the turn's.
 */
export function generate(turn: ScriptTurn, request: LlmRequest, tools: GenerateTools): Generation {
  const { blocks, steps, end } = planOf(turn, request, tools);
  return {
    blocks,
    steps: { [Symbol.iterator]: () => new StepGenerator(turn, tools).run(steps) },
    end,
  };
}

/** One iteration over the steps of a generation. */
class StepGenerator {
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

  *run(steps: readonly PlannedStep[]): Generator<GenerationStep> {
    for (const [i, step] of steps.entries()) {
      if (step.do === 'block') yield* this.#block(step.block, this.#stopsIn(step.block.text, steps, i));
      else if (step.do !== 'barrier') yield step;
      else if (step.at === undefined) yield { do: 'barrier', name: step.name };
    }
  }

  *#block(block: GeneratedBlock, stops: readonly BarrierStop[]): Generator<GenerationStep> {
    yield { do: 'open', block };
    const pieces = piecesOf(block.text, this.#turn.chunk, this.#tokenizer);
    const offsets = stops.map(({ offset }) => offset);
    const { delay, jitter, pings } = this.#turn;
    let at = 0;
    let held = 0;
    for (const text of offsets.length === 0 ? pieces : partedAt(pieces, offsets)) {
      for (; held < stops.length && (offsets[held] ?? 0) <= at; held++)
        yield { do: 'barrier', name: stops[held]?.name ?? '' };
      const ms = this.#pieces === 0 ? 0 : pauseOf(delay, jitter, this.#random);
      if (ms > 0) yield { do: 'wait', ms };
      yield { do: 'piece', block, text };
      this.#pieces++;
      if (pings > 0 && this.#pieces % pings === 0) yield { do: 'ping' };
      at += text.length;
    }
    for (const { name } of stops.slice(held)) yield { do: 'barrier', name };
    yield { do: 'close', block };
  }

  /** The barriers inside the block at `i`: those with a place, up to the next block. In the order of their offsets. */
  #stopsIn(text: string, steps: readonly PlannedStep[], i: number): readonly BarrierStop[] {
    const stops: BarrierStop[] = [];
    for (let j = i + 1; ; j++) {
      const step = steps[j];
      if (step === undefined || step.do === 'block') return stops.toSorted((a, b) => a.offset - b.offset);
      if (step.do === 'barrier' && step.at !== undefined)
        stops.push({ name: step.name, offset: offsetOf(text, step.at, this.#tokenizer) });
    }
  }
}

/** A barrier inside a block, at this UTF-16 offset of its text. */
interface BarrierStop {
  readonly name: string;
  readonly offset: number;
}

/** A generation as a client must decode it, as far as the dialect can carry it. */
export interface GenerationTranscript {
  readonly thinking: readonly Thinking[];
  readonly text: string;
  /** Whole calls whose arguments are an object, or free text, in order. */
  readonly toolCalls: readonly ToolCall[];
  /** The call that was cut. */
  readonly open?: OpenCall;
  readonly stop: StopReason;
  readonly usage: Usage;
}

/** Sums up a generation; tests hold clients to it. */
export function transcriptOf({ blocks, end }: Pick<Generation, 'blocks' | 'end'>): GenerationTranscript {
  const thinking: Thinking[] = [];
  const toolCalls: ToolCall[] = [];
  let text = '';
  let open: OpenCall | undefined;
  for (const block of blocks) {
    if (block.kind === 'text') text += block.text;
    else if (block.kind === 'thinking') {
      const { signature, redacted, text: thought } = block;
      const marks = {
        ...(signature !== undefined && { signature }),
        ...(redacted !== undefined && { redacted }),
      };
      thinking.push({ text: thought, ...marks });
    } else if (block.kind === 'tool_call') {
      const { id, name, custom, text: written } = block;
      const input = block.complete ? parseJson(written) : undefined;
      if (custom === true && block.complete) toolCalls.push({ id, name, input: written, custom });
      else if (custom === undefined && isObject(input))
        toolCalls.push({ id, name, input: input as ToolCall['input'] });
      else open = { id, name, partial: written, ...(custom && { custom }) };
    }
  }
  return { thinking, text, toolCalls, stop: end.stop, usage: end.usage, ...(open && { open }) };
}
