/**
 * Chat Completions of Azure OpenAI: the filter's results for the prompt come on a first chunk without choices, those for the
 * answer beside its content. With the asynchronous filter they come later, on chunks without a delta, an id and a model, also
 * behind the finish reason. Source: Azure OpenAI, Content streaming, Sample response stream.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, GenerationEnd, RenderContext, Renderer, Unit } from '../../messages.ts';
import { changed, choiceOf, deltaOf, withMembers } from './chunk.ts';

const safe: JsonObject = Object.fromEntries(
  ['hate', 'self_harm', 'sexual', 'violence'].map((name) => [name, { filtered: false, severity: 'safe' }]),
);

/** What the filter says about an answer that it ends. */
const filtered: JsonObject = { protected_material_text: { detected: true, filtered: true } };

const promptResults = [{ prompt_index: 0, content_filter_results: safe }];

const isFiltered = ({ stop, error }: GenerationEnd): boolean =>
  stop === 'content_filter' && error === undefined;

/** The head of chunks that belong to no generated token. */
const emptyHead = { id: '', object: '', created: 0, model: '', usage: null } as const;

const promptChunk: Unit = {
  data: { ...emptyHead, choices: [], prompt_filter_results: promptResults },
};

/** Renders the chunks with the filter's results beside their content. */
export const azureRenderer = (inner: Renderer, { end }: RenderContext): Renderer => {
  const annotated = (unit: Unit): Unit => {
    const choice = choiceOf(unit);
    if (choice === undefined) return unit;
    const { content } = deltaOf(choice);
    const says = typeof content === 'string' && content !== '';
    const ends = choice['finish_reason'] !== null && isFiltered(end);
    const content_filter_results = ends ? filtered : says ? safe : {};
    return withMembers(unit, { choices: [{ ...choice, content_filter_results }] });
  };
  const renderer = changed(inner, (units) => units.map(annotated));
  return { ...renderer, begin: () => [promptChunk, ...renderer.begin()] };
};

/** Renders the chunks of the asynchronous filter. */
export const azureLateRenderer = (inner: Renderer, { end }: RenderContext): Renderer => {
  const annotations = new Annotations();
  return {
    begin: () => [promptChunk, ...inner.begin()],
    open: (block) => inner.open(block),
    piece: (text, block) => inner.piece(text, block),
    close: (block) => [...inner.close(block), ...annotations.after(block)],
    end: () =>
      inner.end().flatMap((unit) => {
        const finish = choiceOf(unit)?.['finish_reason'] ?? null;
        if (finish === null) return [unit];
        return isFiltered(end) ? [annotations.unit(filtered, finish)] : [unit, annotations.unit(safe, null)];
      }),
  };
};

/** The chunks that say how much of the text was checked. */
class Annotations {
  #checked = 0;
  #length = 0;

  after({ kind, text }: GeneratedBlock): readonly Unit[] {
    if (kind !== 'text' || text === '') return [];
    this.#length += text.length;
    const unit = this.unit(safe, null);
    this.#checked = this.#length;
    return [unit];
  }

  unit(results: JsonObject, finish: JsonObject[string]): Unit {
    const offsets = {
      check_offset: this.#checked,
      start_offset: this.#checked,
      end_offset: this.#length,
    };
    const choice = {
      index: 0,
      finish_reason: finish,
      content_filter_results: results,
      content_filter_offsets: offsets,
    };
    return { data: { ...emptyHead, choices: [choice] } };
  }
}

/** A whole answer with the filter's results. */
export function azureBody(body: JsonObject, { end }: RenderContext): JsonObject {
  const choice = choiceOf({ data: body });
  if (choice === undefined) return body;
  const content_filter_results = isFiltered(end) ? filtered : safe;
  return {
    ...body,
    choices: [{ ...choice, content_filter_results }],
    prompt_filter_results: promptResults,
  };
}
