/** The members of the events and bodies of Gemini's Interactions API that its SDK and programs read. */
import { entryOf } from '../../../../src/kit/base/index.ts';
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

const counts = {
  'usage.total_tokens': 'number?',
  'usage.total_input_tokens': 'number?',
  'usage.total_output_tokens': 'number?',
  'usage.total_thought_tokens': 'number?',
} as const;

/** The counts of the interaction in an event. */
const countsInside = Object.fromEntries(
  Object.entries(counts).map(([path, type]) => [`interaction.${path}`, type]),
);

/** An interaction: "id: Required", "status: Required". */
const interaction = {
  interaction: 'object',
  'interaction.id': 'word',
  'interaction.status': 'string',
  'interaction.usage': 'object?',
  ...countsInside,
} as const;

const events: { readonly [event: string]: Shape } = {
  'interaction.created': shapeOf(interaction),
  'interaction.completed': shapeOf(interaction),
  'interaction.status_update': shapeOf({ interaction_id: 'word', status: 'string!' }),
  'step.start': shapeOf({
    index: 'number',
    step: 'object',
    'step.type': 'word',
    'step.arguments': 'object!',
    'step.content': 'list?',
    'step.summary': 'list?',
    'step.signature': 'string?',
  }),
  'step.delta': shapeOf({
    index: 'number',
    delta: 'object',
    'delta.type': 'word',
    'delta.text': 'string!',
    'delta.signature': 'string?',
    'delta.content': 'object?',
    'delta.content.text': 'string!',
  }),
  'step.stop': shapeOf({ index: 'number' }),
};

const noShape: Shape = [];

/** The members of an event. New types of events have none. */
export const interactionsShape = (event: string): Shape => entryOf(events, event) ?? noShape;

/** The members of a whole interaction. */
export const interactionsBody: Shape = shapeOf({
  id: 'word',
  status: 'string!',
  steps: 'list?',
  'steps[]': 'object',
  'steps[].type': 'word',
  'steps[].arguments': 'object!',
  'steps[].content': 'list?',
  'steps[].content[].text': 'string!',
  'steps[].summary[].text': 'string!',
  usage: 'object?',
  ...counts,
});
