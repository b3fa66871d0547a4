/**
 * Renders a generation as the events of an interaction: it is created, each block is a step that starts, grows and stops, and
 * `interaction.completed` has the status and the usage. `event: done` is the last one. Each event but that has an `event_id`,
 * behind which a client can read on.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { readArguments } from '../shared/arguments.ts';
import { interleave } from '../shared/interleave.ts';
import { joins, joinUnits } from '../shared/join.ts';
import { joinStart } from './join.ts';
import { UnitTemplate } from '../shared/unit-template.ts';
import { errorObject } from './errors.ts';
import { writeUsage } from './usage.ts';
import { statusWord } from './words.ts';

/** Renders one streamed response. */
export function renderer(context: RenderContext): Renderer {
  const { interleaved, joined } = context.variants;
  const plain = new StepRenderer(context);
  if (interleaved === true) return interleave(plain);
  return joins(joined, 'start') ? joinUnits(plain, joinStart) : plain;
}

/** A block that is a step. */
type StepBlock = Extract<GeneratedBlock, { kind: 'text' | 'thinking' | 'tool_call' }>;

/** The delta with more of a step. */
const deltas: { readonly [K in StepBlock['kind']]: (text: string) => JsonObject } = {
  text: (text) => ({ text, type: 'text' }),
  thinking: (text) => ({ content: { text, type: 'text' }, type: 'thought_summary' }),
  tool_call: (text) => ({ arguments: text, type: 'arguments_delta' }),
};

const templateOf = (delta: (text: string) => JsonObject): UnitTemplate =>
  new UnitTemplate(
    'step.delta',
    (index, text = '', id = '') => ({
      index,
      delta: delta(String(text)),
      event_id: id,
      event_type: 'step.delta',
    }),
    3,
    true,
  );

const templates: { readonly [K in StepBlock['kind']]: UnitTemplate } = {
  text: templateOf(deltas.text),
  thinking: templateOf(deltas.thinking),
  tool_call: templateOf(deltas.tool_call),
};

class StepRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #id: string;
  #events = 0;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#id = context.id('v1_');
  }

  begin(): readonly Unit[] {
    const status = 'in_progress';
    return [
      this.#event('interaction.created', { interaction: interactionOf(this.#context, this.#id, status) }),
      this.#event('interaction.status_update', { interaction_id: this.#id, status }),
    ];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    if (!isStep(block)) return [];
    const step = { ...shellOf(block), ...(this.#isWhole(block) && { arguments: argumentsOf(block) }) };
    return [this.#event('step.start', { index: block.index, step })];
  }

  piece(text: string, block: GeneratedBlock): readonly Unit[] {
    if (!isStep(block) || this.#isWhole(block)) return [];
    return [templates[block.kind].unit(block.index, text, this.#eventId())];
  }

  pieceText(text: string, block: GeneratedBlock): string {
    if (!isStep(block) || this.#isWhole(block)) return '';
    return templates[block.kind].sse(block.index, text, this.#eventId());
  }

  /** A step that was cut stops unless the stream breaks off there, or the variant says otherwise. */
  close(block: GeneratedBlock): readonly Unit[] {
    if (!isStep(block)) return [];
    const { end, variants } = this.#context;
    const breaksOff = end.error !== undefined || end.signal === 'missing';
    if (!block.complete && !(variants.blockStop ?? !breaksOff)) return [];
    return [...this.#signature(block), this.#event('step.stop', { index: block.index })];
  }

  end(): readonly Unit[] {
    const { end, variants } = this.#context;
    if (end.error !== undefined) return [this.#event('error', { error: errorObject(end.error) })];
    const status = statusOf(this.#context);
    if (status === undefined) return [];
    const usage = variants.usage === 'output' ? {} : { usage: writeUsage(end.usage) };
    const interaction = { ...interactionOf(this.#context, this.#id, status), ...usage };
    const before =
      end.signal === 'contradictory'
        ? [
            this.#event('interaction.status_update', {
              interaction_id: this.#id,
              status: otherStatus(status),
            }),
          ]
        : [];
    return [
      ...before,
      this.#event('interaction.completed', { interaction }),
      { event: 'done', data: '[DONE]' },
    ];
  }

  /** The signature of a thought comes last. A thought that was cut has none. */
  #signature(block: StepBlock): readonly Unit[] {
    if (block.kind !== 'thinking' || !block.complete) return [];
    const delta = { signature: signatureOf(block, this.#context), type: 'thought_signature' };
    return [this.#event('step.delta', { index: block.index, delta })];
  }

  /** Whether the arguments of a call stand in the start of its step. An empty object stands there in any case. */
  #isWhole(block: StepBlock): boolean {
    return (
      block.kind === 'tool_call' &&
      joins(this.#context.variants.joined, 'calls') &&
      block.complete &&
      Object.keys(argumentsOf(block)).length > 0
    );
  }

  #eventId(): string {
    return eventId(++this.#events);
  }

  #event(type: string, data: JsonObject): Unit {
    return { event: type, data: { ...data, event_id: this.#eventId(), event_type: type } };
  }
}

/** The id of the event with this number, from 1. Clients do not read it. */
const eventId = (number: number): string => `evt_${number}`;

export const isStep = (block: GeneratedBlock): block is StepBlock =>
  block.kind === 'text' || block.kind === 'thinking' || block.kind === 'tool_call';

/** A step before its content. The arguments of a call are an empty object until its deltas come. */
export function shellOf(block: StepBlock): JsonObject {
  if (block.kind === 'text') return { type: 'model_output' };
  if (block.kind === 'thinking') return { type: 'thought' };
  return { id: block.id, name: block.name, arguments: {}, type: 'function_call' };
}

const argumentsOf = ({ text }: StepBlock): JsonObject => {
  const read = readArguments(text);
  return read.ok ? read.value : {};
};

/** The signature of a thought: its own, else one that is the same wherever the thought stands. */
export const signatureOf = (
  { signature, index }: Extract<GeneratedBlock, { kind: 'thinking' }>,
  { now }: RenderContext,
): string => signature ?? base64(`thought ${index} of ${now}`);

/** The status at the end, if the signal has one. A lie says that the results of tools are wanted. */
export function statusOf({ end: { stop, signal } }: RenderContext): string | undefined {
  if (signal === 'missing') return undefined;
  return statusWord(signal === 'lying' ? 'tool_use' : stop);
}

/** A status that contradicts another. */
const otherStatus = (status: string): string => (status === 'completed' ? 'incomplete' : 'completed');

/** Bytes are in base64. */
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An interaction without its steps, as events have it. */
export function interactionOf(context: RenderContext, id: string, status: string): JsonObject {
  const at = new Date(context.now).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    id,
    status,
    created: at,
    updated: at,
    ...(status === 'requires_continuation' && { continuation_token: base64(`continue ${id}`) }),
    object: 'interaction',
    model: context.request.model,
  };
}
