/**
 * Renders generations as LM Studio's messages of a prediction. The data of a unit is in `channelSend`; an error
 * is a `channelError`, without that envelope (see `wrap` in `server-messages.ts`).
 */
import type { JsonObject, Usage } from '../../../kit/base/index.ts';
import type {
  GeneratedBlock,
  Generation,
  ProviderError,
  RenderContext,
  Renderer,
  Unit,
} from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { joinUnits, joins } from '../shared/join.ts';
import { unitsOfGeneration } from '../shared/render.ts';
import type { ErrorResponse, WholeResponse } from '../shared/dialect.ts';
import { joinFragments } from './join.ts';
import { writeConfig } from './config.ts';
import { instanceInfo, serializedError, stopWords } from './words.ts';

/** Characters of a virtual token, as the default tokenizer counts: each fragment has its number of tokens. */
const TOKEN = 4;

/** Renders one prediction: prompt progress, fragments, calls, `success`. */
export const renderer = (context: RenderContext): Renderer => {
  const plain = new LmStudioRenderer(context);
  return joins(context.variants.joined, 'calls') ? joinUnits(plain, joinFragments) : plain;
};

class LmStudioRenderer implements Renderer {
  readonly #context: RenderContext;
  /** Characters of the open block so far. */
  #length = 0;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  begin(): readonly Unit[] {
    return [promptProgress(this.#context, 0), promptProgress(this.#context, 1)];
  }

  open(block: GeneratedBlock): readonly Unit[] {
    this.#length = 0;
    if (block.kind === 'text') return [];
    if (block.kind === 'thinking') return [fragment('<think>', 'reasoningStartTag', 0)];
    return [
      { data: { type: 'toolCallGenerationStart', toolCallId: block.id } },
      { data: { type: 'toolCallGenerationNameReceived', name: block.name } },
    ];
  }

  piece(text: string, { kind }: GeneratedBlock): readonly Unit[] {
    if (kind === 'tool_call')
      return [{ data: { type: 'toolCallGenerationArgumentFragmentGenerated', content: text } }];
    const before = Math.ceil(this.#length / TOKEN);
    this.#length += text.length;
    const tokens = Math.ceil(this.#length / TOKEN) - before;
    return [fragment(text, kind === 'thinking' ? 'reasoning' : 'none', tokens)];
  }

  close(block: GeneratedBlock): readonly Unit[] {
    const { text, complete } = block;
    if (block.kind === 'text') return [];
    if (block.kind === 'thinking') return complete ? [fragment('</think>', 'reasoningEndTag', 0)] : [];
    if (!complete) return this.#saysFailed() ? [failed(text)] : [];
    const input = parseJson(text);
    if (!isJsonObject(input)) return [failed(text)];
    const { id, name } = block;
    const toolCallRequest: JsonObject = { id, type: 'function', name, arguments: input };
    return [{ data: { type: 'toolCallGenerationEnd', toolCallRequest, rawContent: text } }];
  }

  end(): readonly Unit[] {
    const { end } = this.#context;
    if (end.error !== undefined) return [channelErrorUnit(end.error)];
    const truth = stopWords[end.stop];
    switch (end.signal) {
      case 'honest':
        return [success(this.#context, truth)];
      case 'lying':
        return [success(this.#context, 'toolCalls')];
      case 'contradictory':
        return [success(this.#context, truth === 'toolCalls' ? 'eosFound' : 'toolCalls')];
      case 'missing':
        return [];
    }
  }

  /**
   * Two different messages of `success` would make the SDK throw where no program can catch it. So a contradictory
   * signal contradicts the messages before it: the cut call failed, or no call came, and `stopReason` is `toolCalls`.
   */
  #saysFailed(): boolean {
    const { variants, end } = this.#context;
    return variants.lmstudio === 'failed' || end.signal === 'contradictory';
  }
}

type ReasoningType = 'none' | 'reasoning' | 'reasoningStartTag' | 'reasoningEndTag';

/** More of the output. The tags around thoughts are structure: the SDK keeps them out of both texts. */
const fragment = (content: string, reasoningType: ReasoningType, tokensCount: number): Unit => ({
  data: {
    type: 'fragment',
    fragment: {
      content,
      tokensCount,
      containsDrafted: false,
      reasoningType,
      isStructural: reasoningType.endsWith('Tag'),
    },
  },
});

/** LM Studio gives arguments as an object only, so any other text makes the call fail. */
const failed = (rawContent: string): Unit => ({
  data: {
    type: 'toolCallGenerationFailed',
    error: serializedError({ type: 'server', message: 'Failed to parse the tool call' }),
    rawContent,
  },
});

/** The tokens of the whole prompt, with the cached ones. */
const promptTokens = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

function promptProgress({ end }: RenderContext, progress: 0 | 1): Unit {
  const total = promptTokens(end.usage);
  const cachedTokenCount = end.usage.cacheReadTokens ?? 0;
  const processedPromptTokenCount = progress * (total - cachedTokenCount);
  return {
    data: {
      type: 'promptProcessingProgress',
      progress,
      details: {
        cachedTokenCount,
        totalPromptTokenCount: total,
        processedPromptTokenCount,
        unprocessedPromptTokenCount: total - cachedTokenCount - processedPromptTokenCount,
      },
    },
  };
}

/** Made-up speed: the same script and seed must give the same bytes. */
const pace = { tokensPerSecond: 50, timeToFirstTokenSec: 0.1 };

/** The terminal of a prediction. */
function success({ request, end }: RenderContext, stopReason: string, predicted?: number): Unit {
  const promptTokensCount = promptTokens(end.usage);
  const predictedTokensCount = predicted ?? end.usage.outputTokens;
  const stopString = stopReason === stopWords.stop_sequence ? end.stopSequence : undefined;
  return {
    data: {
      type: 'success',
      stats: {
        stopReason,
        ...(stopString === undefined ? {} : { stopString }),
        ...pace,
        promptTokensCount,
        predictedTokensCount,
        totalTokensCount: promptTokensCount + predictedTokensCount,
      },
      modelInfo: instanceInfo(request.model),
      loadModelConfig: { fields: [] },
      predictionConfig: writeConfig(request),
    },
  };
}

/**
 * The end of a prediction that the client cancelled: the protocol answers with `success`, and the client's promise
 * resolves. `outputTokens`: the tokens generated until then; absent: those of the whole generation.
 */
export const userStopped = (context: RenderContext, outputTokens?: number): Unit =>
  success(context, stopWords.cancelled, outputTokens);

/** An error of a channel, without the channel's id. */
const channelErrorUnit = (error: ProviderError): Unit => ({
  data: { type: 'channelError', error: serializedError(error) },
});

/** A prediction that is not streamed, as an array of its messages. The protocol itself has no such response. */
export const whole = ({ steps }: Generation, context: RenderContext): WholeResponse => ({
  status: 200,
  body: unitsOfGeneration(steps, renderer(context)).flatMap(({ data, comment }) => (comment ? [] : [data])),
});

/** An error before the first message: the same `channelError`. A WebSocket has no headers for hints. */
export const errorBody = (error: ProviderError): ErrorResponse => ({
  status: error.status ?? 500,
  headers: {},
  body: { type: 'channelError', error: serializedError(error) },
});
