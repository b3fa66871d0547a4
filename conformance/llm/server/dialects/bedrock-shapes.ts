/** The members of Bedrock's events and bodies that SDKs read. */
import { entryOf } from '../../../../src/kit/base/index.ts';
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

const counts = {
  'usage.totalTokens': 'number!',
  'usage.cacheReadInputTokens': 'number?',
  'usage.cacheWriteInputTokens': 'number?',
} as const;

const events: { readonly [event: string]: Shape } = {
  messageStart: shapeOf({ role: '=assistant' }),
  contentBlockStart: shapeOf({
    contentBlockIndex: 'number',
    start: 'object',
    'start.toolUse': 'object?',
  }),
  contentBlockDelta: shapeOf({
    contentBlockIndex: 'number',
    delta: 'object',
    'delta.text': 'string?',
    'delta.toolUse': 'object?',
    'delta.toolUse.input': 'string',
    'delta.reasoningContent': 'object?',
    'delta.reasoningContent.text': 'string?',
    'delta.reasoningContent.signature': 'string?',
    'delta.reasoningContent.redactedContent': 'string?',
  }),
  contentBlockStop: shapeOf({ contentBlockIndex: 'number' }),
  metadata: shapeOf({ usage: 'object?', ...counts }),
};

const noShape: Shape = [];

/** The members of an event. New types of events have none. */
export const bedrockShape = (event: string): Shape => entryOf(events, event) ?? noShape;

/** The members of a whole answer. */
export const bedrockBody: Shape = shapeOf({
  output: 'object',
  'output.message': 'object',
  'output.message.role': '=assistant',
  'output.message.content': 'list',
  'output.message.content[]': 'object',
  'output.message.content[].text': 'string?',
  'output.message.content[].toolUse': 'object?',
  'output.message.content[].reasoningContent': 'object?',
  'output.message.content[].reasoningContent.reasoningText': 'object?',
  'output.message.content[].reasoningContent.reasoningText.text': 'string',
  'output.message.content[].reasoningContent.reasoningText.signature': 'string?',
  usage: 'object?',
  ...counts,
});
