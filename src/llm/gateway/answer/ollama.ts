/** Reads an answer of Ollama: a line of a stream and a whole answer are objects of the same form. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { stopReasonOf } from '../../dialects/ollama/words.ts';
import type { ProviderError } from '../../messages.ts';
import type { AnswerPiece, AnswerReader, AnswerUnit } from './piece.ts';
import { argumentsText, startPiece, textIn, textPiece, usagePiece, wordIn } from './reading.ts';

class LineReader implements AnswerReader {
  #started = false;
  #count = 0;

  unit({ data }: AnswerUnit): readonly AnswerPiece[] {
    return this.whole(data);
  }

  whole(line: Json): readonly AnswerPiece[] {
    if (!isObject(line)) return [];
    if (line['error'] !== undefined) return [{ do: 'error', error: ollamaError(line) }];
    const start = this.#started ? [] : [startPiece(undefined, wordIn(line, 'model'))];
    this.#started = true;
    const message = isObject(line['message']) ? this.#message(line['message']) : [];
    return [...start, ...message, ...(line['done'] === true ? this.#last(line) : [])];
  }

  #message({ thinking, content, tool_calls: calls }: JsonObject): readonly AnswerPiece[] {
    return [
      ...textPiece('thought', thinking),
      ...textPiece('text', content),
      ...(isArray(calls) ? calls.flatMap((call) => this.#call(call)) : []),
    ];
  }

  /** A call comes whole. Older servers send no id. */
  #call(value: Json): readonly AnswerPiece[] {
    const made = isObject(value) ? value['function'] : undefined;
    if (!isObject(made)) return [];
    const call = this.#count++;
    const id = wordIn(value, 'id');
    return [
      { do: 'call', call, ...(id === undefined ? {} : { id }), name: textIn(made, 'name') ?? '' },
      { do: 'arguments', call, text: argumentsText(made['arguments']) },
      { do: 'call_end', call },
    ];
  }

  /** "Zero counts are omitted": where one is present, the other is zero. */
  #last(line: JsonObject): readonly AnswerPiece[] {
    const { prompt_eval_count: input, eval_count: output } = line;
    const has = input !== undefined || output !== undefined;
    const word = wordIn(line, 'done_reason') ?? 'stop';
    return [
      ...(has ? usagePiece({ inputTokens: input ?? 0, outputTokens: output ?? 0 }) : []),
      { do: 'stop', reason: stopReasonOf(word, this.#count > 0) ?? 'unknown', word },
      { do: 'terminal' },
    ];
  }
}

/** Reads one answer. */
export const ollamaAnswer = (): AnswerReader => new LineReader();

/** An error line, or the body of a refusal. Ollama has no types of errors. */
export function ollamaError(body: Json): ProviderError {
  const error = isObject(body) ? body['error'] : undefined;
  const message = typeof error === 'string' ? error : (textIn(error, 'message') ?? '');
  return { type: 'server', message };
}
