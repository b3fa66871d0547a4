/** Reads an answer of Chat Completions, in chunks or whole. A call has no end of its own here: the answer ends it. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { openaiError } from './openai.ts';
import { reasonOf } from '../../dialects/openai-chat/finish.ts';
import { chatUsage, readUsage } from '../../dialects/openai/usage.ts';
import type { AnswerPiece, AnswerReader, AnswerUnit } from './piece.ts';
import { startPiece, textIn, textPiece, usagePiece, wordIn } from './reading.ts';
import { urlCitation } from './openai.ts';

/** The members in which compatible servers send thoughts; the official API has none. */
const thoughtMembers = ['reasoning_content', 'reasoning'] as const;

class ChunkReader implements AnswerReader {
  /** Positions of calls, by index. */
  readonly #calls = new Map<number, { readonly call: number; readonly id: string | undefined }>();
  #started = false;
  #count = 0;

  unit({ data }: AnswerUnit): readonly AnswerPiece[] {
    return data === '[DONE]' ? [{ do: 'terminal' }] : this.#chunk(data);
  }

  whole(body: Json): readonly AnswerPiece[] {
    const pieces = this.#chunk(body);
    const isOver = pieces.some((piece) => piece.do === 'stop');
    return isOver ? [...pieces, { do: 'terminal' }] : pieces;
  }

  #chunk(data: Json): readonly AnswerPiece[] {
    if (!isObject(data)) return [];
    const { error = null, choices, usage } = data;
    if (error !== null) return [{ do: 'error', error: openaiError(error) }];
    const choice = isArray(choices)
      ? choices.find((one) => isObject(one) && (one['index'] ?? 0) === 0)
      : undefined;
    return [
      ...this.#start(data),
      ...(isObject(choice) ? this.#choice(choice) : []),
      ...(isObject(usage) && typeof usage['prompt_tokens'] === 'number'
        ? usagePiece({ ...readUsage(usage, chatUsage) })
        : []),
    ];
  }

  #start(chunk: JsonObject): readonly AnswerPiece[] {
    if (this.#started) return [];
    this.#started = true;
    return [startPiece(wordIn(chunk, 'id'), wordIn(chunk, 'model'))];
  }

  #choice(choice: JsonObject): readonly AnswerPiece[] {
    const delta = choice['delta'] ?? choice['message'];
    const word = wordIn(choice, 'finish_reason');
    return [
      ...(isObject(delta) ? this.#delta(delta) : []),
      ...(word === undefined ? [] : [...this.#ends(), { do: 'stop', reason: reasonOf(word), word } as const]),
    ];
  }

  #delta(delta: JsonObject): readonly AnswerPiece[] {
    const thoughts = thoughtMembers.map((member) => delta[member]).find((text) => typeof text === 'string');
    const calls = isArray(delta['tool_calls']) ? delta['tool_calls'] : [];
    const annotations = isArray(delta['annotations']) ? delta['annotations'] : [];
    return [
      ...textPiece('thought', thoughts),
      ...textPiece('text', delta['content']),
      ...textPiece('refusal', delta['refusal']),
      ...calls.flatMap((call, i) => (isObject(call) ? this.#call(call, i) : [])),
      ...annotations.flatMap((annotation) =>
        isObject(annotation) ? urlCitation(annotation['url_citation']) : [],
      ),
    ];
  }

  /** `place` is the index where there is none: in whole answers. Another id on a known index is another call. */
  #call(delta: JsonObject, place: number): readonly AnswerPiece[] {
    const index = typeof delta['index'] === 'number' ? delta['index'] : place;
    const made = isObject(delta['function']) ? delta['function'] : {};
    const id = wordIn(delta, 'id');
    const known = this.#calls.get(index);
    const isKnown = known !== undefined && (id === undefined || id === known.id);
    const call = isKnown ? known.call : this.#count++;
    if (!isKnown) this.#calls.set(index, { call, id });
    const name = textIn(made, 'name') ?? '';
    const text = textIn(made, 'arguments') ?? '';
    return [
      ...(isKnown ? [] : [{ do: 'call', call, ...(id === undefined ? {} : { id }), name } as const]),
      ...(text === '' ? [] : [{ do: 'arguments', call, text } as const]),
    ];
  }

  #ends(): readonly AnswerPiece[] {
    return Array.from({ length: this.#count }, (_, call) => ({ do: 'call_end', call }) as const);
  }
}

/** Reads one answer. */
export const chatAnswer = (): AnswerReader => new ChunkReader();
