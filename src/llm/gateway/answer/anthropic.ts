/** Reads an answer of Anthropic's Messages API (llm.md, Anthropic (a) to (e)). */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { errorType, stopReasonOf } from '../../dialects/anthropic/words.ts';
import type { Citation, ProviderError } from '../../messages.ts';
import type { AnswerPiece, AnswerReader, AnswerUnit } from './piece.ts';
import { argumentsText, objectIn, startPiece, textIn, textPiece, usagePiece, wordIn } from './reading.ts';

interface CallBlock {
  readonly call: number;
  /** The input that came with the start of the block: it counts when no delta follows. */
  readonly input: Json | undefined;
  hasDeltas: boolean;
}

class MessageReader implements AnswerReader {
  readonly #calls = new Map<Json | undefined, CallBlock>();
  #count = 0;

  unit({ event, data }: AnswerUnit): readonly AnswerPiece[] {
    if (!isObject(data)) return [];
    switch (textIn(data, 'type') ?? event) {
      case 'message_start':
        return this.#start(objectIn(data, 'message'));
      case 'content_block_start':
        return this.#open(data['index'], objectIn(data, 'content_block'));
      case 'content_block_delta':
        return this.#delta(data['index'], objectIn(data, 'delta'));
      case 'content_block_stop':
        return this.#close(data['index']);
      case 'message_delta':
        return [...usageOf(data), ...stopOf(objectIn(data, 'delta'))];
      case 'message_stop':
        return [{ do: 'terminal' }];
      case 'error':
        return [{ do: 'error', error: anthropicError(data) }];
      default:
        return [];
    }
  }

  whole(body: Json): readonly AnswerPiece[] {
    if (!isObject(body)) return [];
    if (body['type'] === 'error') return [{ do: 'error', error: anthropicError(body) }];
    const content = isArray(body['content']) ? body['content'] : [];
    return [
      ...this.#start(body),
      ...content.flatMap((block, i) => (isObject(block) ? this.#wholeBlock(i, block) : [])),
      ...stopOf(body),
      ...(textIn(body, 'type') === 'message' ? [{ do: 'terminal' } as const] : []),
    ];
  }

  #start(message: JsonObject): readonly AnswerPiece[] {
    return [startPiece(wordIn(message, 'id'), wordIn(message, 'model')), ...usageOf(message)];
  }

  #open(index: Json | undefined, block: JsonObject): readonly AnswerPiece[] {
    switch (block['type']) {
      case 'text':
        return [{ do: 'border' }, ...textPiece('text', block['text'])];
      case 'thinking':
        return [{ do: 'border' }, ...textPiece('thought', block['thinking'])];
      case 'redacted_thinking':
        return [{ do: 'redacted', data: textIn(block, 'data') ?? '' }];
      case 'tool_use':
        return this.#call(index, block);
      default:
        return [];
    }
  }

  #call(index: Json | undefined, { id, name, input }: JsonObject): readonly AnswerPiece[] {
    const call = this.#count++;
    this.#calls.set(index, { call, input, hasDeltas: false });
    return [
      {
        do: 'call',
        call,
        ...(typeof id === 'string' ? { id } : {}),
        name: typeof name === 'string' ? name : '',
      },
    ];
  }

  #delta(index: Json | undefined, delta: JsonObject): readonly AnswerPiece[] {
    switch (delta['type']) {
      case 'text_delta':
        return textPiece('text', delta['text']);
      case 'thinking_delta':
        return textPiece('thought', delta['thinking']);
      case 'signature_delta':
        return signatureOf(delta);
      case 'input_json_delta':
        return this.#arguments(index, textIn(delta, 'partial_json') ?? '');
      case 'citations_delta':
        return citationOf(delta['citation']);
      default:
        return [];
    }
  }

  #arguments(index: Json | undefined, text: string): readonly AnswerPiece[] {
    const block = this.#calls.get(index);
    if (block === undefined || text === '') return [];
    block.hasDeltas = true;
    return [{ do: 'arguments', call: block.call, text }];
  }

  /** A block without deltas has its input in its start. */
  #close(index: Json | undefined): readonly AnswerPiece[] {
    const block = this.#calls.get(index);
    if (block === undefined) return [];
    this.#calls.delete(index);
    const { call, input, hasDeltas } = block;
    const came = !hasDeltas && isObject(input) && Object.keys(input).length > 0;
    const text = came ? [{ do: 'arguments' as const, call, text: argumentsText(input) }] : [];
    return [...text, { do: 'call_end', call }];
  }

  #wholeBlock(index: number, block: JsonObject): readonly AnswerPiece[] {
    const opened = this.#open(index, block);
    if (block['type'] === 'thinking') return [...opened, ...signatureOf(block)];
    if (block['type'] === 'text') {
      const citations = isArray(block['citations']) ? block['citations'] : [];
      return [...opened, ...citations.flatMap(citationOf)];
    }
    if (block['type'] !== 'tool_use') return opened;
    const text = argumentsText(block['input']);
    return [
      ...opened,
      { do: 'arguments', call: this.#count - 1, text },
      { do: 'call_end', call: this.#count - 1 },
    ];
  }
}

/** Reads one answer. */
export const anthropicAnswer = (): AnswerReader => new MessageReader();

/** An error in a stream, or the body of a refusal. */
export function anthropicError(body: Json): ProviderError {
  const error = objectIn(body, 'error');
  const word = textIn(error, 'type');
  return { type: word === undefined ? 'server' : errorType(word), message: textIn(error, 'message') ?? '' };
}

const signatureOf = (block: JsonObject): readonly AnswerPiece[] => {
  const signature = wordIn(block, 'signature');
  return signature === undefined ? [] : [{ do: 'signature', signature }];
};

function stopOf(message: JsonObject): readonly AnswerPiece[] {
  const word = wordIn(message, 'stop_reason');
  const sequence = textIn(message, 'stop_sequence');
  if (word === undefined) return [];
  const reason = stopReasonOf(word) ?? 'unknown';
  return [{ do: 'stop', reason, word, ...(sequence === undefined ? {} : { sequence }) }];
}

function usageOf(message: JsonObject): readonly AnswerPiece[] {
  const usage = objectIn(message, 'usage');
  return usagePiece({
    inputTokens: usage['input_tokens'],
    outputTokens: usage['output_tokens'],
    cacheReadTokens: usage['cache_read_input_tokens'],
    cacheWriteTokens: usage['cache_creation_input_tokens'],
    thinkingTokens: objectIn(usage, 'output_tokens_details')['thinking_tokens'],
  });
}

function citationOf(value: Json | undefined): readonly AnswerPiece[] {
  if (!isObject(value)) return [];
  const { url, title, cited_text: text, document_index: document } = value;
  const citation: Citation = {
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof document === 'number' ? { document } : {}),
  };
  return [{ do: 'cite', citation }];
}
