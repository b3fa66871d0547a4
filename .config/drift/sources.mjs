/**
 * Where each dialect's words stand: the package of an SDK, and the types of its typings. A line here is data; adding a
 * dialect, or a type that a provider adds to its SDK, needs no code.
 */

/**
 * @typedef {object} Sdk
 * @property {string} dialect the name of the list: spec/llm/words/<dialect>.yaml
 * @property {string} package its name in the registry
 * @property {import('./typings.mjs').Source[]} sources
 */

/** @type {(file: string, stage: 'stable' | 'beta', rows: [kind: string, type: string, read: string, without?: string[]][]) => import('./typings.mjs').Source[]} */
const from = (file, stage, rows) =>
  rows.map(([kind, type, read, without = []]) => ({ kind, stage, file, type, read, without }));

/** @type {Sdk[]} */
export const sdks = [
  {
    dialect: 'anthropic',
    package: '@anthropic-ai/sdk',
    sources: [
      ...from('resources/messages/messages.d.ts', 'stable', [
        ['event', 'RawMessageStreamEvent', 'type'],
        ['block', 'ContentBlock', 'type'],
        ['block', 'RawContentBlockStartEvent.content_block', 'type'],
        ['delta', 'RawContentBlockDelta', 'type'],
        ['stop', 'StopReason', 'literals'],
        ['refusal', 'RefusalStopDetails.category', 'literals'],
        ['object', 'Message.type', 'literals'],
        ['caller', 'ToolUseBlock.caller', 'type'],
        ['citation', 'TextCitation', 'type'],
        ['usage', 'Usage', 'members'],
        ['usage', 'MessageDeltaUsage', 'members'],
      ]),
      ...from('resources/shared.d.ts', 'stable', [
        ['error', 'ErrorObject', 'type'],
        ['error', 'ErrorType', 'literals'],
        ['event', 'ErrorResponse', 'type'],
      ]),
      ...from('resources/models.d.ts', 'stable', [['object', 'ModelInfo.type', 'literals']]),
      ...from('resources/beta/messages/messages.d.ts', 'beta', [
        ['event', 'BetaRawMessageStreamEvent', 'type'],
        ['block', 'BetaContentBlock', 'type'],
        ['block', 'BetaRawContentBlockStartEvent.content_block', 'type'],
        ['delta', 'BetaRawContentBlockDelta', 'type'],
        ['stop', 'BetaStopReason', 'literals'],
        ['refusal', 'BetaRefusalStopDetails.category', 'literals'],
        ['caller', 'BetaToolUseBlock.caller', 'type'],
        ['citation', 'BetaTextCitation', 'type'],
        ['usage', 'BetaUsage', 'members'],
        ['usage', 'BetaMessageDeltaUsage', 'members'],
      ]),
      ...from('resources/beta/beta.d.ts', 'beta', [['error', 'BetaErrorObject', 'type']]),
    ],
  },
  {
    dialect: 'openai-chat',
    package: 'openai',
    sources: [
      ...from('resources/chat/completions/completions.d.ts', 'stable', [
        ['object', 'ChatCompletionChunk.object', 'literals'],
        ['object', 'ChatCompletion.object', 'literals'],
        ['delta', 'ChatCompletionChunk.Choice.Delta', 'names'],
        ['item', 'ChatCompletionMessageToolCall', 'type'],
        ['stop', 'ChatCompletionChunk.Choice.finish_reason', 'literals'],
        ['stop', 'ChatCompletion.Choice.finish_reason', 'literals'],
        ['annotation', 'ChatCompletionMessage.annotations.[]', 'type'],
      ]),
      ...from('resources/completions.d.ts', 'stable', [['usage', 'CompletionUsage', 'members']]),
    ],
  },
  {
    dialect: 'openai-responses',
    package: 'openai',
    sources: [
      ...from('resources/responses/responses.d.ts', 'stable', [
        ['event', 'ResponseStreamEvent', 'type'],
        ['item', 'ResponseOutputItem', 'type'],
        ['part', 'ResponseContentPartAddedEvent.part', 'type'],
        ['part', 'ResponseReasoningSummaryPartAddedEvent.part', 'type'],
        ['annotation', 'ResponseOutputText.annotations.[]', 'type'],
        ['action', 'ResponseFunctionWebSearch.action', 'type'],
        ['object', 'Response.object', 'literals'],
        ['format', 'ResponseTextConfig.format', 'type'],
        ['status', 'ResponseStatus', 'literals'],
        ['status', 'ResponseOutputMessage.status', 'literals'],
        ['stop', 'Response.IncompleteDetails.reason', 'literals'],
        ['error', 'ResponseError.code', 'literals'],
        ['usage', 'ResponseUsage', 'members'],
      ]),
      ...from('resources/beta/responses/responses.d.ts', 'beta', [
        ['event', 'BetaResponseStreamEvent', 'type'],
        ['item', 'BetaResponseOutputItem', 'type'],
        ['part', 'BetaResponseContentPartAddedEvent.part', 'type'],
        ['part', 'BetaResponseReasoningSummaryPartAddedEvent.part', 'type'],
        ['annotation', 'BetaResponseOutputText.annotations.[]', 'type'],
        ['action', 'BetaResponseFunctionWebSearch.action', 'type'],
        ['status', 'BetaResponseStatus', 'literals'],
        ['status', 'BetaResponseOutputMessage.status', 'literals'],
        ['stop', 'BetaResponse.IncompleteDetails.reason', 'literals'],
        ['error', 'BetaResponseError.code', 'literals'],
        ['usage', 'BetaResponseUsage', 'members'],
      ]),
    ],
  },
  {
    dialect: 'ollama',
    package: 'ollama',
    sources: from('dist/browser.d.ts', 'stable', [
      ['line', 'ChatResponse', 'names'],
      ['message', 'Message', 'names'],
    ]),
  },
  {
    dialect: 'lmstudio',
    package: '@lmstudio/sdk',
    sources: from('dist/index.d.ts', 'stable', [
      ['stop', 'LLMPredictionStopReason', 'literals'],
      ['model', 'LLMInfo.type', 'literals'],
      ['model', 'EmbeddingModelInfo.type', 'literals'],
      ['reasoning', 'LLMPredictionFragmentReasoningType', 'literals'],
      ['fragment', 'LLMPredictionFragment', 'names'],
      ['usage', 'LLMPredictionStats', 'names'],
    ]),
  },
  {
    dialect: 'gemini',
    package: '@google/genai',
    sources: from('dist/genai.d.ts', 'stable', [
      ['chunk', 'GenerateContentResponse', 'names', genaiHelpers()],
      ['candidate', 'Candidate', 'names'],
      ['part', 'Part', 'names'],
      ['call', 'FunctionCall', 'names'],
      ['argument', 'PartialArg', 'names'],
      ['value', 'PartialArg.nullValue', 'literals'],
      ['stop', 'FinishReason', 'literals'],
      ['blocked', 'BlockedReason', 'literals'],
      ['usage', 'GenerateContentResponseUsageMetadata', 'names'],
    ]),
  },
  {
    dialect: 'gemini-interactions',
    package: '@google/genai',
    sources: from('dist/genai.d.ts', 'stable', [
      ['event', 'InteractionSSEEvent', 'event_type'],
      ['step', 'Step', 'type'],
      ['delta', 'StepDeltaData', 'type'],
      ['content', 'Content_2', 'type'],
      ['stop', 'InteractionSseEventInteractionStatus', 'literals'],
      ['usage', 'Usage', 'names'],
    ]),
  },
  {
    dialect: 'bedrock',
    package: '@aws-sdk/client-bedrock-runtime',
    sources: [
      ...from('dist-types/models/models_0.d.ts', 'stable', [
        ['event', 'ConverseStreamOutput', 'names', ['$unknown']],
        ['block', 'ContentBlock', 'names', ['$unknown']],
        ['block', 'ContentBlockStart', 'names', ['$unknown']],
        ['delta', 'ContentBlockDelta', 'names', ['$unknown']],
        ['delta', 'ReasoningContentBlockDelta', 'names', ['$unknown']],
        ['usage', 'TokenUsage', 'names'],
      ]),
      ...from('dist-types/models/enums.d.ts', 'stable', [['stop', 'StopReason', 'literals']]),
      ...from('dist-types/models/errors.d.ts', 'stable', [
        ['error', 'AccessDeniedException.name', 'literals'],
        ['error', 'InternalServerException.name', 'literals'],
        ['error', 'ModelErrorException.name', 'literals'],
        ['error', 'ModelNotReadyException.name', 'literals'],
        ['error', 'ModelStreamErrorException.name', 'literals'],
        ['error', 'ModelTimeoutException.name', 'literals'],
        ['error', 'ResourceNotFoundException.name', 'literals'],
        ['error', 'ServiceQuotaExceededException.name', 'literals'],
        ['error', 'ServiceUnavailableException.name', 'literals'],
        ['error', 'ThrottlingException.name', 'literals'],
        ['error', 'ValidationException.name', 'literals'],
      ]),
    ],
  },
  {
    dialect: 'mistral',
    package: '@mistralai/mistralai',
    sources: [
      ...from('esm/models/components/contentchunk.d.ts', 'stable', [
        ['part', 'ContentChunk', 'type', ['UNKNOWN']],
      ]),
      ...from('esm/models/components/completionresponsestreamchoice.d.ts', 'stable', [
        ['stop', 'CompletionResponseStreamChoiceFinishReason', 'literals'],
      ]),
      ...from('esm/models/components/chatcompletionchoice.d.ts', 'stable', [
        ['stop', 'ChatCompletionChoiceFinishReason', 'literals'],
      ]),
      ...from('esm/models/components/ssetypes.d.ts', 'stable', [['event', 'SSETypes', 'literals']]),
      ...from('esm/models/components/usageinfo.d.ts', 'stable', [['usage', 'UsageInfo$Outbound', 'names']]),
    ],
  },
];

/** What the SDK adds to a chunk for its users; it is not on the wire. */
function genaiHelpers() {
  return [
    'sdkHttpResponse',
    'automaticFunctionCallingHistory',
    'text',
    'data',
    'functionCalls',
    'executableCode',
    'codeExecutionResult',
  ];
}
