/**
 * Renders a generation as chunks of `GenerateContentResponse`: one for each piece of text, calls whole, and the finish
 * reason with all counts on the last chunk. The counts of the chunks before grow. A call that is cut is not sent, unless
 * the request asks for its arguments as they are generated.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { contentFault, isJsonObject, parseJson } from '../shared/arguments.ts';
import { joinUnits } from '../shared/join.ts';
import { UnitTemplate } from '../shared/unit-template.ts';
import { ArgumentPaths, hasPaths } from './argument-paths.ts';
import { errorBody } from './errors.ts';
import { joinChunks } from './join.ts';
import { promptTokens, writeUsage } from './usage.ts';
import { blockedWord, finishWord } from './words.ts';

/** Renders one streamed response. */
export const renderer = (context: RenderContext): Renderer => {
  const { joined = [] } = context.variants;
  const plain = new ChunkRenderer(context);
  return joined.length === 0 ? plain : joinUnits(plain, joinChunks(joined));
};

/** The finish reason at the end, if the signal has one. A lie says what it says beside calls. */
export function finishReason({ end: { stop, signal } }: RenderContext): string | undefined {
  if (signal === 'missing') return undefined;
  return finishWord(signal === 'lying' ? 'tool_use' : stop);
}

/** The members of a candidate at its end. */
export const finishOf = (context: RenderContext, word: string): JsonObject => ({
  finishReason: word,
  ...(word === 'CONTINUATION' && { continuationToken: base64(context.id('continuation')) }),
  index: 0,
});

/** The members that all chunks have after their candidates. */
export const tailOf = (context: RenderContext, id: string, usageMetadata: JsonObject): JsonObject => ({
  usageMetadata,
  modelVersion: context.request.model,
  responseId: id,
});

/** The feedback of a prompt that is blocked: an answer without any content, because of a filter. */
export const feedbackOf = ({ blocks, end }: RenderContext): JsonObject | undefined =>
  blocks?.length === 0 && end.stop === 'content_filter' && end.signal === 'honest'
    ? { promptFeedback: { blockReason: blockedWord } }
    : undefined;

/** A part without its content: a thought, or a text. */
const textPart = (text: string, isThought: boolean): JsonObject =>
  isThought ? { text, thought: true } : { text };

/** A call's block. */
export type CallBlock = Extract<GeneratedBlock, { kind: 'tool_call' }>;

/** The part of a whole call. Its signature, if any, is on the part. */
export const callPart = (block: CallBlock, args: Json, context: RenderContext): JsonObject => ({
  functionCall: { ...nameOf(block, context), args },
  ...signatureOf(block),
});

const nameOf = ({ id, name }: CallBlock, { variants }: RenderContext): JsonObject =>
  variants.callIds === false ? { name } : { id, name };

export const signatureOf = ({ signature }: { readonly signature?: string }): JsonObject =>
  signature === undefined ? {} : { thoughtSignature: signature };

/** The arguments of a call that is complete; undefined where they are no object: such a call is not sent. */
export function argumentsOf({ complete, text }: CallBlock): JsonObject | undefined {
  const args = complete ? parseJson(text) : undefined;
  return isJsonObject(args) ? args : undefined;
}

/** Bytes are in base64. */
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The places of arguments in a chunk that is written as text. */
const argumentsMark = 'wireproof:arguments';

class ChunkRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #id: string;
  readonly #thoughts: UnitTemplate;
  readonly #texts: UnitTemplate;
  /** The characters of all blocks, and those that were sent: the counts of chunks are a share of the whole count. */
  readonly #length: number;
  #sent = 0;
  /** The arguments of the open call, where they stream. */
  #paths: ArgumentPaths | undefined;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#id = context.id('');
    this.#thoughts = this.#template(true);
    this.#texts = this.#template(false);
    this.#length = (context.blocks ?? []).reduce((sum, { text }) => sum + text.length, 0);
  }

  begin(): readonly Unit[] {
    return [];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    this.#paths = undefined;
    if (block.kind !== 'tool_call' || !this.#streamsCall(block)) return [];
    this.#paths = new ArgumentPaths();
    return [this.#call({ ...nameOf(block, this.#context), willContinue: true }, signatureOf(block))];
  }

  piece(text: string, block: GeneratedBlock): readonly Unit[] {
    this.#sent += text.length;
    if (block.kind === 'tool_call') return this.#arguments(text);
    const template = this.#templateOf(block);
    return template === undefined ? [] : [template.unit(text, this.#output(), this.#total())];
  }

  pieceText(text: string, block: GeneratedBlock): string {
    const template = this.#templateOf(block);
    if (template === undefined)
      return this.piece(text, block)
        .map(({ data }) => `data: ${JSON.stringify(data)}\n\n`)
        .join('');
    this.#sent += text.length;
    return template.sse(text, this.#output(), this.#total());
  }

  close(block: GeneratedBlock): readonly Unit[] {
    if (block.kind === 'thinking' && block.complete && block.signature !== undefined)
      return [this.#chunk([{ ...textPart('', true), ...signatureOf(block) }])];
    if (block.kind === 'provider_block') return [this.#chunk([block.form])];
    if (block.kind !== 'tool_call') return [];
    if (this.#paths === undefined) return this.#whole(block);
    return block.complete ? [this.#call({})] : [];
  }

  end(): readonly Unit[] {
    const { end } = this.#context;
    if (end.error !== undefined) return [{ data: errorBody(end.error).body }];
    const feedback = feedbackOf(this.#context);
    if (feedback !== undefined)
      return [{ data: { ...feedback, ...tailOf(this.#context, this.#id, writeUsage(end.usage)) } }];
    const word = finishReason(this.#context);
    if (word === undefined) return [];
    const last = this.#last(word);
    return end.signal === 'contradictory' ? [this.#last(otherWord(word)), last] : [last];
  }

  #templateOf({ kind }: GeneratedBlock): UnitTemplate | undefined {
    if (kind === 'thinking') return this.#thoughts;
    return kind === 'text' ? this.#texts : undefined;
  }

  #template(isThought: boolean): UnitTemplate {
    return new UnitTemplate(
      undefined,
      (text, output = 0, total = 0) => this.#data([textPart(String(text), isThought)], output, total),
      3,
    );
  }

  /** Output tokens so far: the share of the characters that were sent. */
  #output(): number {
    const { outputTokens } = this.#context.end.usage;
    return this.#length === 0 ? 0 : Math.floor((outputTokens * this.#sent) / this.#length);
  }

  #total(): number {
    return promptTokens(this.#context.end.usage) + this.#output();
  }

  #data(parts: readonly JsonObject[], output: Json, total: Json): JsonObject {
    const { usage } = this.#context.end;
    const counts = {
      promptTokenCount: promptTokens(usage),
      candidatesTokenCount: output,
      totalTokenCount: total,
      ...(usage.cacheReadTokens !== undefined && { cachedContentTokenCount: usage.cacheReadTokens }),
    };
    const candidate = { content: { parts, role: 'model' }, index: 0 };
    return { candidates: [candidate], ...tailOf(this.#context, this.#id, counts) };
  }

  #chunk(parts: readonly JsonObject[]): Unit {
    return { data: this.#data(parts, this.#output(), this.#total()) };
  }

  #call(functionCall: JsonObject, more: JsonObject = {}): Unit {
    return this.#chunk([{ functionCall, ...more }]);
  }

  /** Whether the arguments of a call stream: where the request asks for it, and paths can say them. */
  #streamsCall({ name, complete, text }: CallBlock): boolean {
    const isEager = this.#context.request.tools.some((tool) => tool.name === name && tool.eager === true);
    return isEager && (!complete || hasPaths(text));
  }

  #arguments(text: string): readonly Unit[] {
    const partialArgs = this.#paths?.take(text) ?? [];
    return partialArgs.length === 0 ? [] : [this.#call({ partialArgs, willContinue: true })];
  }

  /** A number that parsing would change is sent as the script has it. */
  #whole(block: CallBlock): readonly Unit[] {
    const args = argumentsOf(block);
    if (args === undefined) return [];
    if (contentFault(block.text)?.kind !== 'number')
      return [this.#chunk([callPart(block, args, this.#context)])];
    const json = JSON.stringify(this.#chunk([callPart(block, argumentsMark, this.#context)]).data);
    return [
      { data: json.replace(JSON.stringify(argumentsMark), () => block.text.replaceAll(/[\r\n]/g, ' ')) },
    ];
  }

  #last(word: string): Unit {
    const content = { parts: [{ text: '' }], role: 'model' };
    const candidate = { content, ...finishOf(this.#context, word) };
    const { usage } = this.#context.end;
    return { data: { candidates: [candidate], ...tailOf(this.#context, this.#id, writeUsage(usage)) } };
  }
}

/** A finish reason that contradicts another. */
const otherWord = (word: string): string => (word === 'STOP' ? 'MAX_TOKENS' : 'STOP');
