/** The stream of OpenAI Responses as text, for vectors. Source: spec/llm/README.md, "The dialects on the wire". */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

/** An event without its number. `fields` is JSON text that begins with a comma, or is empty. */
const event = (type: string, fields = ''): string =>
  `event: ${type}\ndata: {"type":"${type}","sequence_number":#${fields}}\n\n`;

/** Numbers the events of a stream from 0. */
function numbered(events: string): string {
  let next = 0;
  return events.replaceAll('"sequence_number":#', () => `"sequence_number":${next++}`);
}

const response = (status: string, more = ''): string =>
  `,"response":{"id":"resp_1","object":"response","created_at":1763632800,"status":"${status}","model":"gpt-9","output":[]${more}}`;

/** The first events of a stream. */
const start: string =
  event('response.created', response('in_progress')) + event('response.in_progress', response('in_progress'));

const at = (index: number): string => `,"item_id":"item_${index}","output_index":${index}`;

/** An item is added or done. `item` is its JSON text. */
const item = (what: 'added' | 'done', index: number, text: string): string =>
  event(`response.output_item.${what}`, `,"output_index":${index},"item":${text}`);

const message = (index: number, status: string, content: string): string =>
  `{"id":"item_${index}","type":"message","status":"${status}","role":"assistant","content":[${content}]}`;

const part = (text: string): string =>
  `{"type":"output_text","annotations":[],"logprobs":[],"text":${JSON.stringify(text)}}`;

/** The start of a message, with pieces of its text, without its end. */
const openText = (index: number, ...pieces: readonly string[]): string =>
  item('added', index, message(index, 'in_progress', '')) +
  event('response.content_part.added', `${at(index)},"content_index":0,"part":${part('')}`) +
  pieces.map((piece) => textDelta(index, piece)).join('');

const textDelta = (index: number, piece: string): string =>
  event(
    'response.output_text.delta',
    `${at(index)},"content_index":0,"delta":${JSON.stringify(piece)},"logprobs":[]`,
  );

/** A whole message. */
const text = (index: number, ...pieces: readonly string[]): string =>
  openText(index, ...pieces) +
  event(
    'response.output_text.done',
    `${at(index)},"content_index":0,"text":${JSON.stringify(pieces.join(''))},"logprobs":[]`,
  ) +
  event('response.content_part.done', `${at(index)},"content_index":0,"part":${part(pieces.join(''))}`) +
  item('done', index, message(index, 'completed', part(pieces.join(''))));

/** A call as an item. */
const call = (index: number, id: string, name: string, args: string, status: string): string =>
  `{"id":"item_${index}","type":"function_call","status":"${status}","arguments":${JSON.stringify(args)},"call_id":"${id}","name":"${name}"}`;

/** The start of a call. */
const begun = (index: number, id: string, name: string): string =>
  item('added', index, call(index, id, name, '', 'in_progress'));

/** More of a call's arguments. */
const more = (index: number, ...pieces: readonly string[]): string =>
  pieces
    .map((piece) =>
      event('response.function_call_arguments.delta', `${at(index)},"delta":${JSON.stringify(piece)}`),
    )
    .join('');

/** The end of a call's arguments. */
const argumentsDone = (index: number, name: string, args: string): string =>
  event(
    'response.function_call_arguments.done',
    `${at(index)},"name":"${name}","arguments":${JSON.stringify(args)}`,
  );

/** The end of a call's item, with its status. */
const callDone = (index: number, id: string, name: string, args: string, status = 'completed'): string =>
  item('done', index, call(index, id, name, args, status));

/** A whole call, its arguments in pieces. */
const tool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  begun(index, id, name) +
  more(index, ...pieces) +
  argumentsDone(index, name, pieces.join('')) +
  callDone(index, id, name, pieces.join(''));

/** A call that the limit cut. Its item is done, with the status incomplete. */
const cutTool = (index: number, id: string, name: string, args: string, status = 'incomplete'): string =>
  begun(index, id, name) + more(index, args) + callDone(index, id, name, args, status);

/** A call of a custom tool as an item: ResponseCustomToolCall of openai 6.49. */
const customItem = (index: number, id: string, name: string, input: string, status: string): string =>
  `{"id":"item_${index}","type":"custom_tool_call","status":"${status}","input":${JSON.stringify(input)},"call_id":"${id}","name":"${name}"}`;

/** A call of a custom tool up to a piece of its text. */
const openCustom = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  item('added', index, customItem(index, id, name, '', 'in_progress')) +
  pieces
    .map((piece) =>
      event('response.custom_tool_call_input.delta', `${at(index)},"delta":${JSON.stringify(piece)}`),
    )
    .join('');

/** The end of a custom call's text. */
const inputDone = (index: number, input: string): string =>
  event('response.custom_tool_call_input.done', `${at(index)},"input":${JSON.stringify(input)}`);

/** The end of a custom call's item, with its status. */
const customDone = (index: number, id: string, name: string, input: string, status = 'completed'): string =>
  item('done', index, customItem(index, id, name, input, status));

/** A whole call of a custom tool. */
const custom = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  openCustom(index, id, name, ...pieces) +
  inputDone(index, pieces.join('')) +
  customDone(index, id, name, pieces.join(''));

/** A call of a custom tool that the limit cut. */
const cutCustom = (index: number, id: string, name: string, input: string): string =>
  openCustom(index, id, name, input) + customDone(index, id, name, input, 'incomplete');

const usage =
  ',"usage":{"input_tokens":20,"input_tokens_details":{"cached_tokens":0},"output_tokens":8,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":28}';

/** The end of a complete response. `counts` is the JSON text of its usage after a comma. */
const completed = (counts: string = usage): string =>
  event('response.completed', response('completed', `,"error":null,"incomplete_details":null${counts}`));

/** The end of an incomplete response, with this reason. */
const incomplete = (reason = 'max_output_tokens', type = 'response.incomplete'): string =>
  event(type, response('incomplete', `,"error":null,"incomplete_details":{"reason":"${reason}"}${usage}`));

/** The end of a response that failed. */
const failed: string = event(
  'response.failed',
  response('failed', ',"error":{"code":"server_error","message":"The model failed."},"usage":null'),
);

/** A drawn generation in wire form. */
const wireOf = ({ text: said, calls, cut }: DrawnGeneration): string =>
  [
    start,
    text(0, ...said),
    ...calls.map(({ id, name, pieces }, i) =>
      cut && i === calls.length - 1
        ? cutTool(i + 1, id, name, pieces.join(''))
        : tool(i + 1, id, name, ...pieces),
    ),
    cut ? incomplete() : completed(),
  ].join('');

/** The wire form of OpenAI Responses, for vectors. */
export const openaiResponsesWire: DialectWire = {
  builders: asBuilders({
    event,
    start: () => start,
    item,
    openText,
    textDelta,
    text,
    begun,
    more,
    argumentsDone,
    callDone,
    tool,
    cutTool,
    openCustom,
    inputDone,
    customDone,
    custom,
    cutCustom,
    completed,
    incomplete,
    failed: () => failed,
  }),
  wireOf,
  whole: numbered,
};
