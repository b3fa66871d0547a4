/**
 * Renders a generation as events of the Responses API: `response.created` and `.in_progress`, each item and part added
 * and done with its deltas between, and one terminal event with all of it.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { errorObject } from '../openai/errors.ts';
import { paddingOf } from '../openai/padding.ts';
import type { Padding } from '../openai/padding.ts';
import { outputItem } from './output.ts';
import type { ItemContext, ItemStatus, OutputEvent, OutputItem } from './output.ts';
import { codeAndMessage, ResponseObject } from './response-object.ts';
import { pieceWriter } from './piece.ts';
import type { PieceWriter } from './piece.ts';
import { endingOf } from './status.ts';

/** Renders one response. */
export const renderer = (context: RenderContext): Renderer => new ResponsesRenderer(context);

/** The status of a closed block; undefined where the stream breaks off inside it. */
export function statusOf(complete: boolean, { end, variants }: RenderContext): ItemStatus | undefined {
  if (complete || end.signal === 'lying') return 'completed';
  return end.signal === 'missing' || end.error !== undefined
    ? undefined
    : (variants.itemStatus ?? 'incomplete');
}

/** The context of the item with this `output_index`. */
export const itemContext = (index: number, { id, end, variants }: RenderContext): ItemContext => ({
  index,
  id,
  refusal: end.stop === 'refusal',
  variants,
});

class ResponsesRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #response: ResponseObject;
  readonly #output: JsonObject[] = [];
  readonly #padding: Padding | undefined;
  #item: OutputItem | undefined;
  #writePiece: PieceWriter | undefined;
  #sequence = 0;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#response = new ResponseObject(context);
    this.#padding = paddingOf(context);
  }

  begin(): readonly Unit[] {
    const response = this.#response.inProgress();
    return [
      this.#unit({ type: 'response.created', response }),
      this.#unit({ type: 'response.in_progress', response }),
    ];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    this.#item = outputItem(block, itemContext(this.#output.length, this.#context));
    this.#writePiece = pieceWriter(this.#item.piece, this.#padding);
    return this.#item.begin().map((event) => this.#unit(event));
  }

  piece(text: string): readonly Unit[] {
    return this.#writePiece === undefined ? [] : [this.#writePiece(this.#sequence++, text)];
  }

  close({ text, complete }: GeneratedBlock): readonly Unit[] {
    const status = statusOf(complete, this.#context);
    if (this.#item === undefined || status === undefined) return [];
    this.#output.push(this.#item.item(text, status));
    return this.#item.end(text, status).map((event) => this.#unit(event));
  }

  end(): readonly Unit[] {
    const { end, variants } = this.#context;
    const { responsesError = 'both' } = variants;
    const errors = end.error === undefined || responsesError === 'failed' ? [] : [this.#error(end.error)];
    if (errors.length > 0 && responsesError !== 'both') return errors;
    const ending = endingOf(end.error === undefined ? end : { ...end, stop: 'error', signal: 'honest' });
    if (ending === undefined) return [];
    const terminal = { type: ending.event, response: this.#response.ended(ending, this.#output) };
    return [...errors, this.#unit(terminal)];
  }

  /** Nested as OpenAI sends it, or flat as in the SDK's type. */
  #error(error: NonNullable<RenderContext['end']['error']>): Unit {
    return this.#context.variants.responsesError === 'flat'
      ? this.#unit({ type: 'error', ...codeAndMessage(error), param: null })
      : this.#unit({ type: 'error', error: errorObject(error) });
  }

  #unit({ type, ...event }: OutputEvent): Unit {
    return { event: type, data: { type, sequence_number: this.#sequence++, ...event } };
  }
}
