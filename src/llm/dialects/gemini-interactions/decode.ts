/**
 * Decodes an interaction, event by event or whole. `interaction.completed` is the terminal, and its status says why the answer
 * ended. The first content of a step may stand in its start. Unknown events, steps and deltas are passed over (LLM-C12).
 */
import { SseParser } from '../../../kit/base/index.ts';
import type { Json, JsonObject, SseEvent } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, LlmResponse, ResponseDecoder } from '../../messages.ts';
import { contentFault, excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import { endedEarly } from '../shared/assembly.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import { CallBlocks } from '../shared/call-blocks.ts';
import type { CallBlock } from '../shared/call-blocks.ts';
import { HttpDecoder } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { errorText, streamError } from './errors.ts';
import { KeptStep, keptForms } from './kept-steps.ts';
import { readUsage } from './usage.ts';
import { failedWord, goesOn, knownEvents, stopReasonOf } from './words.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new InteractionDecoder(limits);

/** Reads a response that is not streamed. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new InteractionDecoder({}).readWhole(status, headers, bytes);

/** A step that has begun. */
type OpenStep =
  | { readonly kind: 'text' | 'thought' | 'other'; readonly kept: KeptStep }
  | {
      readonly kind: 'call';
      readonly kept: KeptStep;
      readonly block: CallBlock;
      /** The JSON of the arguments that stand in its start: they hold where no delta comes. */
      readonly given: string;
    };

class InteractionDecoder extends HttpDecoder<SseEvent> {
  /** Steps that have begun and not ended, by index. */
  readonly #steps = new Map<number, OpenStep>();
  readonly #calls = new CallBlocks(this.assembly);
  readonly #kept: KeptStep[] = [];

  constructor(limits: Partial<DecoderLimits>) {
    super(limits, (limit) => new SseParser(limit));
  }

  protected get terminal(): string {
    return 'interaction.completed';
  }

  protected override kept({ toolCalls }: LlmResponse): readonly JsonObject[] | undefined {
    return keptForms(this.#kept, toolCalls);
  }

  protected take({ event: name, data: text }: SseEvent): void {
    // The stream is over, and nothing can come that it lacks.
    if (text === '[DONE]') return this.fail(endedEarly('clean', this.terminal));
    const data = parseJson(text);
    if (isJsonObject(data)) this.#event(textIn(data['event_type']) || name, data, text);
    else if (data === undefined && knownEvents.has(name))
      this.refuse(`${name}: expected JSON; came ${excerpt(text)}`);
  }

  #event(type: string, data: JsonObject, text: string): void {
    const { interaction, metadata } = data;
    if (isJsonObject(metadata)) this.#usage(metadata['total_usage']);
    switch (type) {
      case 'step.delta':
        return this.#delta(data, text);
      case 'step.start':
        return this.#start(data, text);
      case 'step.stop':
        return this.#stop(data['index']);
      case 'interaction.created':
        return this.#head(interaction);
      case 'interaction.status_update':
        this.#usage(data['usage']);
        return this.#update(data['status']);
      case 'interaction.completed':
        this.#head(interaction);
        return this.#completed(isJsonObject(interaction) ? interaction : {});
      case 'error':
        return this.fail(streamError(data['error']));
      default:
    }
  }

  #head(interaction: Json | undefined): void {
    if (!isJsonObject(interaction)) return;
    const { model, usage } = interaction;
    if (typeof model === 'string' && model !== '') this.assembly.model(model);
    this.#usage(usage);
  }

  #usage(usage: Json | undefined): void {
    if (isJsonObject(usage)) this.assembly.usage(readUsage(usage));
  }

  /** A status before the last one. That of an interaction that goes on says nothing. */
  #update(status: Json | undefined): void {
    const reason = typeof status === 'string' ? stopReasonOf(status) : undefined;
    if (reason !== undefined && reason !== this.assembly.stopped) this.assembly.stop(reason);
  }

  #completed({ status, errors }: JsonObject): void {
    const [error] = isArray(errors) ? errors : [];
    if (error !== undefined || status === failedWord) return this.fail(streamError(error));
    this.#status(status);
    this.settle();
    this.over = true;
  }

  #status(status: Json | undefined): void {
    if (typeof status !== 'string') return this.refuse('interaction: expected a status');
    this.rawStop = status;
    const reason = stopReasonOf(status);
    if (reason === undefined)
      this.assembly.warn(
        goesOn.has(status)
          ? `expected an interaction that is over; its status is ${status}`
          : `unknown status ${excerpt(status)}`,
      );
    if (reason === undefined || reason !== this.assembly.stopped) this.assembly.stop(reason ?? 'unknown');
  }

  #start({ index, step }: JsonObject, text: string): void {
    if (typeof index !== 'number' || !isJsonObject(step)) return this.#odd('step.start', index);
    if (this.#steps.has(index)) return this.refuse(`step ${index} was started twice`);
    this.#calls.next();
    const kept = new KeptStep(step);
    this.#kept.push(kept);
    this.assembly.part(kept.isOwn ? text.length : 0);
    const open = this.#opened(step, kept);
    this.#steps.set(index, open);
    if (open.kind === 'text') this.#contents(open, step['content']);
    if (open.kind !== 'thought') return;
    this.assembly.thought();
    this.#contents(open, step['summary']);
    this.#sign(open, step['signature']);
  }

  #opened({ type, id, name, arguments: given }: JsonObject, kept: KeptStep): OpenStep {
    if (type === 'model_output') return { kind: 'text', kept };
    if (type === 'thought') return { kind: 'thought', kept };
    if (type !== 'function_call') return { kind: 'other', kept };
    if (typeof id === 'string' && typeof name === 'string')
      return { kind: 'call', kept, block: this.#calls.open(id, name), given: givenIn(given) };
    this.assembly.warn('a function_call step without id and name');
    return { kind: 'other', kept };
  }

  /** The texts of contents. */
  #contents(step: OpenStep, contents: Json | undefined): void {
    for (const content of isArray(contents) ? contents : []) this.#grow(step, content);
  }

  #grow(step: OpenStep, content: Json | undefined): void {
    const { text } = isJsonObject(content) ? content : {};
    if (typeof text !== 'string') return;
    if (step.kind === 'thought') this.assembly.think(text);
    else this.assembly.text(text);
    step.kept.text += text;
  }

  #sign({ kept }: OpenStep, signature: Json | undefined): void {
    if (typeof signature !== 'string' || signature === '') return;
    this.assembly.sign(signature);
    kept.signature = signature;
  }

  #delta({ index, delta }: JsonObject, text: string): void {
    const step = typeof index === 'number' ? this.#steps.get(index) : undefined;
    if (step === undefined || !isJsonObject(delta)) return this.#odd('step.delta', index);
    const { type } = delta;
    if (step.kind === 'text' && type === 'text') this.#grow(step, delta);
    else if (step.kind === 'thought' && type === 'thought_summary') this.#grow(step, delta['content']);
    else if (step.kind === 'thought' && type === 'thought_signature') this.#sign(step, delta['signature']);
    else if (step.kind === 'call' && type === 'arguments_delta')
      this.assembly.input(step.block.call, textIn(delta['arguments']));
    else {
      this.assembly.part(text.length);
      if (step.kind === 'other') step.kept.take(delta);
    }
  }

  #stop(index: Json | undefined): void {
    const step = typeof index === 'number' ? this.#steps.get(index) : undefined;
    if (typeof index !== 'number' || step === undefined) return this.#odd('step.stop', index);
    this.#steps.delete(index);
    if (step.kind !== 'call') return;
    if (step.block.call.partial === '') this.assembly.input(step.block.call, step.given);
    this.#calls.close(step.block);
  }

  protected override settle(): void {
    this.#calls.settle();
  }

  #odd(type: string, index: Json | undefined): void {
    const came = typeof index === 'number' ? String(index) : 'no index';
    this.assembly.warn(`${type} is ignored: expected an open step; came ${came}`);
  }

  /** A whole interaction. At a limit the last call counts as cut: its `arguments` are an object in any case. */
  protected takeWhole(body: JsonObject, text: string): void {
    const steps = isArray(body['steps']) ? body['steps'].filter((step) => isJsonObject(step)) : [];
    if (body['status'] === undefined && body['steps'] === undefined)
      return this.refuse(`expected an interaction; came ${excerpt(text)}`);
    this.#head(body);
    const { errors, status } = body;
    const [error] = isArray(errors) ? errors : [];
    if (error !== undefined || status === failedWord) return this.fail(streamError(error));
    if (status === undefined) this.assembly.warn('the interaction has no status');
    else this.#status(status);
    const fault = contentFault(text);
    for (const [i, step] of steps.entries())
      this.#wholeStep(step, fault, i === steps.length - 1 && this.assembly.limited);
    this.over = true;
  }

  #wholeStep(step: JsonObject, fault: ArgumentsFault | undefined, cut: boolean): void {
    const { type, id, name, arguments: input } = step;
    const kept = new KeptStep(step);
    this.#kept.push(kept);
    if (type === 'model_output') this.#contents({ kind: 'text', kept }, step['content']);
    else if (type === 'thought') {
      this.assembly.thought();
      this.#contents({ kind: 'thought', kept }, step['summary']);
      this.#sign({ kind: 'thought', kept }, step['signature']);
    } else if (type !== 'function_call') this.assembly.part(JSON.stringify(step).length);
    else if (typeof id === 'string' && typeof name === 'string')
      this.assembly.given({ id, name }, input, fault, cut);
    else this.assembly.warn('a function_call step without id and name');
  }

  protected errorText(body: unknown, text: string): ErrorText {
    return errorText(body, text);
  }
}

/** The JSON of arguments that stand in the start of a step. An empty object stands there before the deltas, too. */
const givenIn = (value: Json | undefined): string =>
  isJsonObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : '';
