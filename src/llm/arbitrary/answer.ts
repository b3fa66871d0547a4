/**
 * Generators of the LLM room: arguments, requests, turns and whole answered requests, with everything that breaks
 * decoders: all writing systems, text that looks like framing, escapes, empty and nested values, cuts anywhere.
 */
import fc from 'fast-check';
import type { Json, StopReason } from '../../kit/base/index.ts';
import { anyRequest, anyToolName } from './request.ts';
import { anyArguments, anyWords } from './text.ts';
import { generate, transcriptOf } from '../streamer/generation.ts';
import type { GenerationTranscript } from '../streamer/generation.ts';
import { contentOf, isContent, turnDefaults } from '../script/script.ts';
import type { Chunk, ContentStep, Script, Step, ScriptTurn } from '../script/script.ts';
import { defaultTokenizer } from '../dialects/shared/tokenizer.ts';
import { charLength } from '../dialects/shared/utf8.ts';
import { dialectOf } from '../dialects/index.ts';
import { signals, transportEnds } from '../messages.ts';
import type {
  DialectName,
  Generation,
  LlmRequest,
  Signal,
  ToolSpec,
  TransportEnd,
  Variants,
} from '../messages.ts';

export { anyRequest } from './request.ts';
export { anyArguments, anyText } from './text.ts';

/** Kinds of pieces. */
export const anyChunk: fc.Arbitrary<Chunk> = fc.oneof(
  fc.constantFrom<Chunk>('token', 'char', 'byte'),
  fc.record({ size: fc.integer({ min: 1, max: 40 }) }),
);

const callStep = (id: string): fc.Arbitrary<ContentStep> =>
  fc.record({
    do: fc.constant('tool_call' as const),
    id: fc.constant(id),
    name: anyToolName,
    arguments: anyArguments.map((input) => JSON.stringify(input)),
  });

const thinkingStep: fc.Arbitrary<ContentStep> = fc.record(
  { do: fc.constant('thinking' as const), text: anyWords, signature: fc.base64String({ minLength: 4 }) },
  { requiredKeys: ['do', 'text'] },
);

const textStep: fc.Arbitrary<ContentStep> = fc.record({ do: fc.constant('text' as const), text: anyWords });

const asideStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ do: 'ping' }),
  fc.constantFrom('', 'keep-alive', 'data: no').map((text): Step => ({ do: 'comment', text })),
  fc.integer({ min: 1, max: 50 }).map((ms): Step => ({ do: 'wait', ms })),
  fc.constant<Step>({ do: 'barrier', name: 'here' }),
  fc.nat(9).map((char): Step => ({ do: 'barrier', name: 'inside', at: { char } })),
);

/** Content as models give it: thoughts first, then text and calls, with pings, comments, waits and barriers between. */
const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.option(thinkingStep, { nil: undefined }),
    fc.option(textStep, { nil: undefined }),
    fc.nat(3).chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => callStep(`call_${i + 1}`)))),
    fc.array(fc.tuple(fc.nat(5), asideStep), { maxLength: 3 }),
    textStep,
  )
  .map(([thought, text, calls, asides, fallback]) => {
    const content = [thought, text, ...calls].filter((step) => step !== undefined);
    const all: Step[] = content.some((step) => step.do !== 'thinking') ? content : [...content, fallback];
    // Never first: a barrier with a place needs a content step before it.
    for (const [at, step] of asides) all.splice(Math.min(at + 1, all.length), 0, step);
    return all.map((step, i) => within(step, all.slice(0, i).findLast(isContent)));
  });

/** Moves a barrier inside the step before it to its end, at most. */
const within = (step: Step, before: ContentStep | undefined): Step =>
  step.do === 'barrier' && step.at !== undefined && 'char' in step.at && before !== undefined
    ? { ...step, at: { char: Math.min(step.at.char, charLength(contentOf(before))) } }
    : step;

/** A cut inside one content step. In thoughts and text it leaves at least one character. */
const cutIn = (turn: ScriptTurn): fc.Arbitrary<ScriptTurn> => {
  const content = turn.steps.filter(isContent);
  return fc.nat(content.length - 1).chain((step) => {
    const of = content[step];
    const json = of?.do === 'tool_call';
    const length = of === undefined ? 0 : charLength(contentOf(of));
    return fc
      .integer({ min: json ? 0 : 1, max: Math.max(json ? 0 : 1, length - 1) })
      .map((char) => ({ ...turn, cut: { step, at: { char } } }));
  });
};

/** Counts that a script sends, as real providers do. */
const usageStep: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly Step[]>([]) },
  {
    weight: 1,
    arbitrary: fc
      .record({ cacheReadTokens: fc.nat(5000), cacheWriteTokens: fc.nat(5000) }, { requiredKeys: [] })
      .map((usage): readonly Step[] => [{ do: 'usage', usage }]),
  },
);

/** A turn that ends in order, with an honest signal: content of any kind, sometimes cut, sometimes with pings. */
export const anyTurn: fc.Arbitrary<ScriptTurn> = fc
  .record({
    steps: fc.tuple(steps, usageStep).map(([content, usage]) => [...content, ...usage]),
    chunk: anyChunk,
    delay: fc.constantFrom(0, 0, 5),
    jitter: fc.constantFrom(0, 3),
    pings: fc.constantFrom(0, 0, 1, 3),
  })
  .map((turn): ScriptTurn => ({ ...turnDefaults, ...turn }))
  .chain((turn) =>
    fc.oneof({ weight: 2, arbitrary: fc.constant(turn) }, { weight: 1, arbitrary: cutIn(turn) }),
  );

/** A script of one to four such turns. */
export const anyScript: fc.Arbitrary<Script> = fc
  .array(anyTurn, { minLength: 1, maxLength: 4 })
  .map((turns) => ({ model: 'wireproof-1', tokenizer: { units: 4 }, turns }));

/** A request, its generation, and the transcript that a client must decode. */
export interface Answered {
  readonly request: LlmRequest;
  readonly turn: ScriptTurn;
  readonly generation: Generation;
  readonly transcript: GenerationTranscript;
  readonly variants: Variants;
}

/** Options of {@link anyGeneration}. */
export interface AnyGenerationOptions {
  /** Further stop reasons that the dialect has words for; used where nothing is cut. */
  readonly stops?: readonly StopReason[];
  /** Whether generations are cut; default true. */
  readonly cuts?: boolean;
  /** Whether some end badly: with a dishonest signal, a reset, a stall, an error in mid-stream. Default false. */
  readonly faults?: boolean;
  /** Whether some calls are of custom tools. Default false. */
  readonly custom?: boolean;
}

/** A turn's end, possibly a bad one. */
interface TransportFault {
  readonly signal: Signal;
  readonly transport: TransportEnd;
  readonly error: boolean;
}

const anyFault: fc.Arbitrary<TransportFault> = fc.record({
  signal: fc.constantFrom(...signals),
  transport: fc.constantFrom(...transportEnds),
  error: fc.boolean(),
});

const overloaded: Step = { do: 'error', error: { type: 'overloaded', message: 'Overloaded' } };

const faulty = (turn: ScriptTurn, { signal, transport, error }: TransportFault): ScriptTurn => ({
  ...turn,
  signal,
  transport,
  steps: error && !turn.steps.some((step) => step.do === 'stop') ? [...turn.steps, overloaded] : turn.steps,
});

/**
 * Generations in a dialect, each for a request that offers the tools it calls: whole, cut by the script, or cut by
 * the request's limit. Honest, and ended in order, unless `faults` is set. The arguments of a cut call never parse.
 */
export const anyGeneration = (
  dialect: DialectName,
  options: AnyGenerationOptions = {},
): fc.Arbitrary<Answered> =>
  fc
    .record({
      request: anyRequest(dialect),
      turn: anyTurn,
      limit: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 3 }),
      stop: fc.option(fc.constantFrom<StopReason>('end_turn', ...(options.stops ?? [])), { nil: undefined }),
      eager: fc.boolean(),
      fault: options.faults === true ? anyFault : fc.constant(undefined),
      custom:
        options.custom === true ? fc.constantFrom(undefined, '', '*** Begin Patch ') : fc.constant(undefined),
    })
    .map(({ request, turn: plain, limit, stop, eager, fault, custom }) => {
      const turn = custom === undefined ? plain : withCustom(plain, custom);
      const { cut, ...uncut } = turn;
      const cuts = options.cuts ?? true;
      const stopped = cuts && cut !== undefined ? turn : withStop(uncut, stop);
      const ended = fault === undefined ? stopped : faulty(stopped, fault);
      const { eagerTools } = dialectOf[dialect].features;
      const offered = offering(request, turn, eagerTools !== false && eager, eagerTools === 'all');
      return answered({ ...offered, maxTokens: cuts && limit !== undefined ? limit : 100_000 }, ended);
    });

/** A turn whose first and third calls are of custom tools. Their text may be JSON. */
function withCustom(turn: ScriptTurn, before: string): ScriptTurn {
  let calls = 0;
  const steps = turn.steps.map((step): Step =>
    step.do === 'tool_call' && calls++ % 2 === 0
      ? { ...step, arguments: before + step.arguments, custom: true }
      : step,
  );
  return { ...turn, steps };
}

/** A turn that stops for this reason. A turn that calls tools keeps its natural end. */
const withStop = (turn: ScriptTurn, reason: StopReason | undefined): ScriptTurn =>
  reason === undefined || turn.steps.some((step) => step.do === 'tool_call')
    ? turn
    : { ...turn, steps: [...turn.steps, stopStep(reason)] };

const stopStep = (reason: StopReason): Step =>
  reason === 'stop_sequence' ? { do: 'stop', reason, sequence: 'END' } : { do: 'stop', reason };

const anyInput: { readonly [key: string]: Json } = { type: 'object' };

/** The request, offering every tool that the turn calls. */
function offering(request: LlmRequest, turn: ScriptTurn, eager: boolean, all: boolean): LlmRequest {
  const names = new Set(request.tools.map((tool) => tool.name));
  const more = turn.steps.flatMap((step): ToolSpec[] => {
    if (step.do !== 'tool_call' || names.has(step.name)) return [];
    names.add(step.name);
    const { name } = step;
    return step.custom === true
      ? [{ name, custom: true, inputSchema: {} }]
      : [{ name, inputSchema: anyInput, ...(eager && { eager }) }];
  });
  const tools = [...request.tools, ...more];
  const isEager = all && (eager || request.tools.some((tool) => tool.eager === true));
  return { ...request, tools: isEager ? tools.map((tool) => ({ ...tool, eager: true })) : tools };
}

function answered(request: LlmRequest, turn: ScriptTurn): Answered {
  let ids = 0;
  const generation = generate(turn, request, {
    tokenizer: defaultTokenizer,
    ids: (prefix) => `${prefix}${++ids}`,
    random: () => ({ next: () => 0.5, below: () => 0, uuid: () => '' }),
  });
  return { request, turn, generation, transcript: transcriptOf(generation), variants: turn.variants };
}
