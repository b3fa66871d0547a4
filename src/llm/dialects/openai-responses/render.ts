/**
 * Renders a generation as events of the Responses API: `response.created` and `.in_progress`, each item and part added
 * and done with its deltas between, and one terminal event with all of it.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { GeneratedBlock, RenderContext, Renderer, Unit } from '../../messages.ts';
import { errorObject } from '../openai/errors.ts';
import { isPadded, Obfuscation } from '../openai/obfuscation.ts';
import { frameText } from '../shared/frame.ts';
import { joinUnits, joins } from '../shared/join.ts';
import { UnitTemplate } from '../shared/unit-template.ts';
import type { UnitMaker } from '../shared/unit-template.ts';
import { joinArguments } from './join.ts';
import { withDone } from './open-responses.ts';
import { outputItem } from './output.ts';
import type { ItemContext, ItemStatus, OutputEvent, OutputItem } from './output-item.ts';
import { codeAndMessage, ResponseObject } from './response-object.ts';
import { endingOf } from './status.ts';

/** Renders one response. */
export const renderer = (context: RenderContext): Renderer => {
  const { joined, profile } = context.variants;
  const plain = new ResponsesRenderer(context);
  const made = joins(joined, 'calls') ? numbered(joinUnits(plain, joinArguments)) : plain;
  return profile === undefined ? made : withDone(made);
};

/** Numbers the events again, where some of them are left out. */
function numbered(renderer: Renderer): Renderer {
  let sequence = 0;
  const number = (units: readonly Unit[]): readonly Unit[] =>
    units.map(({ event, data }) => ({
      ...(event === undefined ? {} : { event }),
      data: { ...(data as JsonObject), sequence_number: sequence++ },
    }));
  return {
    begin: () => number(renderer.begin()),
    open: (block) => number(renderer.open(block)),
    piece: (text, block) => number(renderer.piece(text, block)),
    close: (block) => number(renderer.close(block)),
    end: () => number(renderer.end()),
  };
}

/** The status of a closed block; undefined where the stream breaks off inside it. */
export function statusOf(complete: boolean, { end, variants }: RenderContext): ItemStatus | undefined {
  if (complete || end.signal === 'lying') return 'completed';
  return end.signal === 'missing' || end.error !== undefined
    ? undefined
    : (variants.itemStatus ?? 'incomplete');
}

/** The context of the item with this `output_index`. */
export const itemContext = (index: number, { id, variants }: RenderContext): ItemContext => ({
  index,
  id,
  variants,
});

class ResponsesRenderer implements Renderer {
  readonly #context: RenderContext;
  readonly #response: ResponseObject;
  readonly #output: JsonObject[] = [];
  #item: OutputItem | undefined;
  /** The deltas of the open item. */
  #deltas: UnitTemplate | undefined;
  readonly #obfuscation: Obfuscation;
  readonly #padded: boolean;
  #sequence = 0;

  constructor(context: RenderContext) {
    this.#context = context;
    this.#response = new ResponseObject(context);
    this.#obfuscation = new Obfuscation(context.id);
    this.#padded = isPadded(context);
  }

  begin(): readonly Unit[] {
    const response = this.#response.inProgress();
    return [
      this.#unit({ type: 'response.created', response }),
      this.#unit({ type: 'response.in_progress', response }),
    ];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    this.#deltas = undefined;
    this.#item = outputItem(block, itemContext(this.#output.length, this.#context));
    return this.#item?.begin().map((event) => this.#unit(event)) ?? [];
  }

  piece(text: string): readonly Unit[] {
    if (this.#item?.piece === undefined) return [];
    if (this.#item.measure !== undefined) return [this.#measured(this.#item.measure(text))];
    const number = this.#sequence++;
    this.#deltas ??= this.#template(this.#item.piece);
    return this.#padded
      ? [this.#deltas.unit(number, text, this.#obfuscation.next())]
      : [this.#deltas.unit(number, text)];
  }

  pieceText(text: string): string {
    if (this.#item?.piece === undefined) return '';
    if (this.#item.measure !== undefined)
      return frameText('sse', this.#measured(this.#item.measure(text)), 'lf');
    const number = this.#sequence++;
    this.#deltas ??= this.#template(this.#item.piece);
    return this.#padded
      ? this.#deltas.sse(number, text, this.#obfuscation.next())
      : this.#deltas.sse(number, text);
  }

  /** The deltas of an item: they differ in their number and their text only. */
  #template(piece: NonNullable<OutputItem['piece']>): UnitTemplate {
    const padded = this.#padded;
    const { type } = piece('');
    const make: UnitMaker = (number = 0, text = '', padding = '') => {
      const { type: _, ...event } = piece(String(text));
      return { type, sequence_number: number, ...event, ...(padded ? { obfuscation: padding } : {}) };
    };
    return new UnitTemplate(type, make, padded ? 3 : 2, padded);
  }

  #measured(event: OutputEvent): Unit {
    return this.#unit(this.#padded ? { ...event, obfuscation: this.#obfuscation.next() } : event);
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
