/** The stream of Gemini's Interactions API as text, for vectors. Source: spec/llm/README.md, "The dialects on the wire". */
import { asBuilders } from '../../../../src/kit/spec/index.ts';
import type { DrawnGeneration } from '../draw.ts';
import type { DialectWire } from '../vector.ts';

/** An event. `fields` is JSON text that ends with a comma, or is empty. */
const event = (type: string, fields = ''): string =>
  `event: ${type}\ndata: {${fields}"event_type":"${type}"}\n\n`;

const object = '"object":"interaction","model":"gemini-3-flash"';

/** The first event. */
const start: string = event(
  'interaction.created',
  `"interaction":{"id":"v1_a","status":"in_progress",${object}},`,
);

/** The start of a step. `step` is its JSON text. */
const open = (index: number, step: string): string => event('step.start', `"index":${index},"step":${step},`);

/** A delta. `delta` is its JSON text. */
const delta = (index: number, json: string): string =>
  event('step.delta', `"index":${index},"delta":${json},`);

/** The end of a step. */
const close = (index: number): string => event('step.stop', `"index":${index},`);

/** Deltas of a text, without their end. */
const textDelta = (index: number, ...pieces: readonly string[]): string =>
  pieces.map((piece) => delta(index, `{"text":${JSON.stringify(piece)},"type":"text"}`)).join('');

/** A step of text. */
const text = (index: number, ...pieces: readonly string[]): string =>
  open(index, '{"type":"model_output"}') + textDelta(index, ...pieces) + close(index);

/** A step of a call, without its end. */
const openTool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  open(index, `{"id":"${id}","name":"${name}","arguments":{},"type":"function_call"}`) +
  pieces
    .map((piece) => delta(index, `{"arguments":${JSON.stringify(piece)},"type":"arguments_delta"}`))
    .join('');

/** A step of a call. */
const tool = (index: number, id: string, name: string, ...pieces: readonly string[]): string =>
  openTool(index, id, name, ...pieces) + close(index);

/** A status before the last one. */
const update = (status: string): string =>
  event('interaction.status_update', `"interaction_id":"v1_a","status":"${status}",`);

const counts = '{"total_tokens":28,"total_input_tokens":20,"total_output_tokens":8,"total_thought_tokens":0}';

/** The terminal, without the event `done`. `usage` is JSON text. */
const stop = (status: string, usage = counts): string =>
  event(
    'interaction.completed',
    `"interaction":{"id":"v1_a","status":"${status}","usage":${usage},${object}},`,
  );

const done = 'event: done\ndata: [DONE]\n\n';

/** The end of a response, with this status. */
const end = (status: string, usage?: string): string => stop(status, usage) + done;

/** An error in mid-stream. */
const error = (code: string, message: string): string =>
  event('error', `"error":{"message":"${message}","code":"${code}"},`);

const words: { readonly [stop: string]: string } = { tool_use: 'requires_action', max_tokens: 'incomplete' };

/** A drawn generation in wire form. */
const wireOf = ({ text: pieces, calls, cut, outcome }: DrawnGeneration): string =>
  start +
  text(0, ...pieces) +
  calls
    .map(({ id, name, pieces: made }, i) =>
      (cut && i === calls.length - 1 ? openTool : tool)(i + 1, id, name, ...made),
    )
    .join('') +
  end(words[outcome.stop] ?? 'completed');

/** The wire form of Gemini's Interactions API, for vectors. */
export const geminiInteractionsWire: DialectWire = {
  builders: asBuilders({
    event,
    start: () => start,
    open,
    delta,
    close,
    textDelta,
    text,
    openTool,
    tool,
    update,
    stop,
    done: () => done,
    end,
    error,
  }),
  wireOf,
};
