/** The members of LM Studio's messages that its SDK reads. It gives a message that does not fit to nobody. */
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

/** The members of a prediction's messages, by type. */
export const lmstudioShapes: { readonly [type: string]: Shape } = {
  fragment: shapeOf({
    fragment: 'object',
    'fragment.content': 'string',
    'fragment.tokensCount': 'number',
    'fragment.containsDrafted': 'boolean',
    'fragment.reasoningType': '=none|reasoning|reasoningStartTag|reasoningEndTag',
    'fragment.isStructural': 'boolean',
  }),
  toolCallGenerationEnd: shapeOf({
    rawContent: 'string!',
    toolCallRequest: 'object',
    'toolCallRequest.id': 'string!',
    'toolCallRequest.type': '=function',
  }),
  success: shapeOf({
    stats: 'object',
    'stats.tokensPerSecond': 'number!',
    'stats.timeToFirstTokenSec': 'number!',
    'stats.totalTokensCount': 'number!',
    modelInfo: 'object',
    'modelInfo.identifier': 'string',
    'modelInfo.modelKey': 'string',
    'modelInfo.displayName': 'string',
    'modelInfo.format': '=gguf|safetensors|onnx|ggml|mlx_placeholder|torch_safetensors',
    'modelInfo.type': '=llm',
    'modelInfo.path': 'string',
    'modelInfo.sizeBytes': 'number',
    'modelInfo.vision': 'boolean',
    'modelInfo.trainedForToolUse': 'boolean',
    'modelInfo.instanceReference': 'string',
    'modelInfo.contextLength': 'number',
    'modelInfo.maxContextLength': 'number',
    loadModelConfig: 'object',
    'loadModelConfig.fields': 'list',
    predictionConfig: 'object',
    'predictionConfig.fields': 'list',
    'predictionConfig.fields[].key': 'string',
    'predictionConfig.fields[]': 'object',
  }),
};
