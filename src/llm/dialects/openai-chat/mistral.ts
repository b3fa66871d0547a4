/**
 * Chat Completions of Mistral: the content of an answer with thoughts or sources is a list of chunks; calls come whole, all in
 * the chunk with the finish reason, without a type; so does the usage, unasked. Source: `@mistralai/mistralai` 2.7,
 * `DeltaMessage`, `ContentChunk`, `CompletionResponseStreamChoice`.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, GenerationEnd, RenderContext, Renderer, Unit } from '../../messages.ts';
import { callObject } from './call-object.ts';
import { choiceOf, deltaOf, withMembers, withoutNullUsage } from './chunk.ts';

/** Mistral sends usage unasked, no padding, and the role in a first chunk of its own. */
export function mistralContext(context: RenderContext): RenderContext {
  const { blocks: _, request, variants, ...more } = context;
  return {
    ...more,
    request: { ...request, includeUsage: true },
    variants: { ...variants, reasoning: 'reasoning_content', usage: 'finish', obfuscation: false },
  };
}

const textChunk = (text: Json): JsonObject => ({ type: 'text', text });
const thinkingChunk = (text: Json): JsonObject => ({ type: 'thinking', thinking: [textChunk(text)] });
const references = (sources: Json): JsonObject => ({
  type: 'reference',
  reference_ids: isArray(sources) ? sources.map((_, i) => i) : [],
});

/** Whether the content of an answer is a list. */
const isListed = (blocks: readonly GeneratedBlock[]): boolean =>
  blocks.some(
    (block) => block.kind === 'thinking' || (block.kind === 'text' && block.citations !== undefined),
  );

/** Renders the chunks as Mistral has them. */
export class MistralRenderer implements Renderer {
  readonly #inner: Renderer;
  readonly #end: GenerationEnd;
  readonly #listed: boolean;
  /** The calls that no chunk has had, and the number of those before them. */
  #calls: JsonObject[] = [];
  #sent = 0;
  #head: Unit = { data: {} };

  constructor(inner: Renderer, { blocks = [], end }: RenderContext) {
    this.#inner = inner;
    this.#end = end;
    this.#listed = isListed(blocks);
  }

  begin(): readonly Unit[] {
    const units = this.#changed(this.#inner.begin());
    this.#head = units[0] ?? this.#head;
    return units;
  }

  open(block: GeneratedBlock): readonly Unit[] {
    const units = this.#inner.open(block);
    return block.kind === 'tool_call' ? [] : [...this.#flush(), ...this.#changed(units)];
  }

  piece(text: string, block: GeneratedBlock): readonly Unit[] {
    return block.kind === 'tool_call' ? [] : this.#changed(this.#inner.piece(text, block));
  }

  close(block: GeneratedBlock): readonly Unit[] {
    if (block.kind !== 'tool_call') return this.#changed(this.#inner.close(block));
    this.#calls.push(wholeCall(block, this.#sent + this.#calls.length));
    return [];
  }

  /** The calls are in the chunk with the finish reason, where there is one. */
  end(): readonly Unit[] {
    const [first, ...more] = this.#changed(this.#inner.end());
    if (first === undefined) return this.#flush();
    const choice = choiceOf(first);
    if (choice === undefined || this.#calls.length === 0) return [...this.#flush(), first, ...more];
    const delta = { ...deltaOf(choice), tool_calls: this.#calls };
    return [withMembers(first, { choices: [{ ...choice, delta }] }), ...more];
  }

  /** The calls in a chunk of their own. */
  #flush(): readonly Unit[] {
    if (this.#calls.length === 0) return [];
    const delta = { content: '', tool_calls: this.#calls };
    this.#sent += this.#calls.length;
    this.#calls = [];
    return [withMembers(this.#head, { choices: [{ index: 0, delta, finish_reason: null }] })];
  }

  #changed(units: readonly Unit[]): readonly Unit[] {
    return units.map((unit) => {
      const choice = choiceOf(unit);
      if (choice === undefined || !isObject(unit.data)) return withoutNullUsage(unit);
      const { service_tier: _, system_fingerprint: __, ...data } = unit.data;
      const { logprobs: ___, ...rest } = choice;
      const delta = deltaFrom(deltaOf(choice), this.#listed);
      return withoutNullUsage({
        data: { ...data, choices: [{ ...rest, delta, finish_reason: wordOf(choice, this.#end) }] },
      });
    });
  }
}

/** A delta as Mistral has it: of text, a thought, or sources. */
function deltaFrom(delta: JsonObject, listed: boolean): JsonObject {
  const { reasoning_content: thought, annotations, refusal = null, content, role } = delta;
  const said = refusal ?? content ?? '';
  const named = role === undefined ? {} : { role };
  if (thought !== undefined) return { ...named, content: [thinkingChunk(thought)] };
  if (annotations !== undefined) return { ...named, content: [references(annotations)] };
  return { ...named, content: listed && said !== '' ? [textChunk(said)] : said };
}

/** Mistral has a word for a full context. */
const wordOf = ({ finish_reason: word = null }: JsonObject, { stop }: GenerationEnd): Json =>
  word === 'length' && stop === 'context_window' ? 'model_length' : word;

/** A call without its type. Calls of custom tools, which Mistral does not have, are as OpenAI sends them. */
function wholeCall(block: Extract<GeneratedBlock, { kind: 'tool_call' }>, index: number): JsonObject {
  const call = callObject(block, block.text);
  const { type: _, ...bare } = call;
  return { ...(block.custom === true ? call : bare), index };
}

/** A whole answer as Mistral has it. */
export function mistralBody(body: JsonObject, { blocks = [], end }: RenderContext): JsonObject {
  const choice = choiceOf({ data: body });
  if (choice === undefined) return body;
  const { service_tier: _, system_fingerprint: __, ...rest } = body;
  const calls = blocks.flatMap((block) => (block.kind === 'tool_call' ? [block] : []));
  const message = {
    role: 'assistant',
    content: contentOf(blocks),
    tool_calls: calls.length === 0 ? null : calls.map(wholeCall),
  };
  return { ...rest, choices: [{ index: 0, message, finish_reason: wordOf(choice, end) }] };
}

/** The content of a whole answer: a text, or a list of chunks. */
function contentOf(blocks: readonly GeneratedBlock[]): Json {
  if (!isListed(blocks)) return blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('');
  return blocks.flatMap((block): readonly JsonObject[] => {
    if (block.kind === 'thinking') return [thinkingChunk(block.text)];
    if (block.kind !== 'text') return [];
    const { citations = [] } = block;
    return [textChunk(block.text), ...(citations.length === 0 ? [] : [references(citations.map(() => 0))])];
  });
}
