/** Ollama's streamed response: one object a line, counts on the last, calls whole or not at all (llm.md, Ollama). */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { contentFault, isJsonObject, parseJson } from '../shared/arguments.ts';
import { logprobOf } from '../shared/logprobs.ts';
import { joinUnits } from '../shared/join.ts';
import { joinLines } from './join.ts';
import { doneReason } from './words.ts';

/** Renders one streamed response. */
export const renderer = (context: RenderContext): Renderer => {
  const { joined = [] } = context.variants;
  const plain = new LineRenderer(context);
  return joined.length === 0 ? plain : joinUnits(plain, joinLines(joined));
};

/** The error of Ollama for a response whose cut call it tried to parse. */
export const parseError = (text: string): JsonObject => ({
  error: `error parsing tool call: raw='${text}', err=unexpected end of JSON input`,
});

/** The fields that every line has. `context.now` stands for all of them: a response takes no time here. */
export const lineHead = ({ request, now }: RenderContext): JsonObject => ({
  model: request.model,
  created_at: new Date(now).toISOString(),
});

/** Counts and durations (nanoseconds) of the last line: "Zero counts are omitted", and those of a cached prompt. */
export function counts({ end: { usage }, variants }: RenderContext): JsonObject {
  const prompt = usage.inputTokens * promptTokenNs;
  const evaluation = usage.outputTokens * outputTokenNs;
  const all = {
    total_duration: loadNs + prompt + evaluation,
    load_duration: loadNs,
    prompt_eval_count: variants.usage === 'output' ? 0 : usage.inputTokens,
    prompt_eval_duration: prompt,
    eval_count: usage.outputTokens,
    eval_duration: evaluation,
  };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count !== 0));
}

/** The reason on the last line, if it has one. */
export function finalReason({ end }: RenderContext): string | undefined {
  if (end.signal === 'missing') return undefined;
  return end.signal === 'lying' ? doneReason('tool_use') : doneReason(end.stop);
}

/** A call as Ollama sends it, with its arguments as an object. */
export function callObject(block: CallBlock, index: number, input: Json): JsonObject {
  return { id: block.id, function: { index, name: block.name, arguments: input } };
}

/** A call's block. */
export type CallBlock = Extract<GeneratedBlock, { kind: 'tool_call' }>;

/** The content that leaks when a template takes a cut call for text. */
export const leaked = ({ name, text }: CallBlock): string =>
  `{"name": ${JSON.stringify(name)}, "arguments": ${text}`;

// Made-up durations: the same script must give the same bytes.
const loadNs = 1_000_000;
const promptTokenNs = 100_000;
const outputTokenNs = 10_000_000;

class LineRenderer implements Renderer {
  readonly #context: RenderContext;
  #calls = 0;
  /** An error line has come: nothing follows it. */
  #over = false;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  begin(): readonly Unit[] {
    return [];
  }

  open(): readonly Unit[] {
    return [];
  }

  piece(text: string, block: GeneratedBlock): readonly Unit[] {
    if (this.#over || block.kind === 'tool_call') return [];
    if (block.kind !== 'text') return [this.#line({ content: '', thinking: text })];
    const unit = this.#line({ content: text });
    const { logprobs } = block;
    return logprobs === undefined || !isJsonObject(unit.data)
      ? [unit]
      : [{ data: { ...unit.data, logprobs: [logprobOf(text, logprobs)] } }];
  }

  close(block: GeneratedBlock): readonly Unit[] {
    return this.#over || block.kind !== 'tool_call' ? [] : this.#call(block);
  }

  end(): readonly Unit[] {
    if (this.#over) return [];
    const { end } = this.#context;
    if (end.error !== undefined) return [{ data: { error: end.error.message } }];
    if (end.signal === 'missing') return [];
    const last = {
      ...lineHead(this.#context),
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: finalReason(this.#context) ?? 'stop',
      ...counts(this.#context),
    };
    return end.signal === 'contradictory'
      ? [this.#contradiction(last.done_reason), { data: last }]
      : [{ data: last }];
  }

  #line(fields: JsonObject): Unit {
    return { data: { ...lineHead(this.#context), message: { role: 'assistant', ...fields }, done: false } };
  }

  /** An early `done_reason`, and another one than the last line has. */
  #contradiction(reason: string): Unit {
    const other = reason === 'stop' ? 'length' : 'stop';
    return {
      data: {
        ...lineHead(this.#context),
        message: { role: 'assistant', content: '' },
        done: false,
        done_reason: other,
      },
    };
  }

  #call(block: CallBlock): readonly Unit[] {
    const variant = this.#context.variants.ollama ?? 'dropped';
    const input = parseJson(block.text);
    if (isJsonObject(input) && (block.complete || variant === 'flushed')) return [this.#whole(block, input)];
    if (variant === 'leaked') return [this.#line({ content: leaked(block) })];
    if (variant !== 'error-line' && variant !== 'error-500') return [];
    this.#over = true;
    return [{ data: parseError(block.text) }];
  }

  /** Sends a number that parsing would change as the script has it. Only white space can break a line. */
  #whole(block: CallBlock, input: JsonObject): Unit {
    const { text } = block;
    const index = this.#calls++;
    const unit = this.#line({ content: '', tool_calls: [callObject(block, index, input)] });
    if (contentFault(text)?.kind !== 'number') return unit;
    const mark = '"wireproof:arguments"';
    const line = JSON.stringify(
      this.#line({ content: '', tool_calls: [callObject(block, index, 'wireproof:arguments')] }).data,
    );
    const at = line.lastIndexOf(mark);
    return { data: line.slice(0, at) + text.replaceAll(/[\r\n]/g, ' ') + line.slice(at + mark.length) };
  }
}
