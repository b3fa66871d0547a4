/** The kit's prompts and tools. A real model understands them, and the reference's script matches them. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { DialectName, ToolSpec } from '../../../src/llm/index.ts';

/** The prompts, by purpose. */
export const prompts = {
  text: 'Say hello in one short sentence.',
  long: 'Count from 1 to 500 in words, separated by commas. Do not stop early, and say nothing else.',
  report:
    'Write the report "wires" with the tool write_report: a title, and a body of at least ten sentences about wires.',
  weather:
    'What is the weather in Oslo and in Quito? Call the tool get_weather once for each city, both calls in this turn.',
  patch:
    'Change the line "a wire" of wires.txt into ten lines about wires, with one call of the tool apply_patch, and say nothing else.',
  /** A model is told to call a tool that the request forbids. */
  tempting:
    'What is the weather in Oslo? Call the tool get_weather. If you cannot, say in one sentence that you do not know.',
  unicode: 'Repeat exactly, and say nothing else: naïve café, 日本語, \u{1F469}‍\u{1F467}, ☃',
  /** A real server does not fail on this prompt: its model just answers. */
  failure: 'Fail in mid-stream. (A simulated provider does; a model may say whatever it likes.)',
} as const;

/** The name of a model that no server has. */
export const noSuchModel = 'wireproof-no-such-model';

/** A tool whose arguments are long. */
export const writeReport: ToolSpec = {
  name: 'write_report',
  description: 'Writes a report.',
  inputSchema: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'Its title.' },
      body: { type: 'string', description: 'Its text, ten sentences or more.' },
    },
    required: ['title', 'body'],
  },
};

/** A tool that is called several times at once. */
export const getWeather: ToolSpec = {
  name: 'get_weather',
  description: 'Tells the weather in a city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'The name of the city.' } },
    required: ['city'],
  },
};

/** A custom tool (OpenAI): its input is free text. */
export const applyPatch: ToolSpec = {
  name: 'apply_patch',
  description: 'Edits files. Its input is a patch from "*** Begin Patch" to "*** End Patch".',
  custom: true,
  inputSchema: {},
};

/** A limit of output tokens below any natural answer to {@link prompts}. OpenAI Responses accepts at least 16. */
export const smallLimit = 24;

/** A limit of output tokens above any answer. */
export const ampleLimit = 1024;

/** How a request demands the call of a tool. */
const demands: { readonly [D in DialectName]?: JsonObject } = {
  anthropic: { tool_choice: { type: 'any' } },
  'openai-chat': { tool_choice: 'required' },
  'openai-responses': { tool_choice: 'required' },
  gemini: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
  bedrock: { toolConfig: { toolChoice: { any: {} } } },
};

/** A request that demands a call. Bedrock's choice stands beside its tools. */
export function demanding(body: JsonObject, dialect: DialectName): JsonObject {
  const demand: JsonObject = demands[dialect] ?? {};
  const { toolConfig: choice } = demand;
  const { toolConfig: tools } = body;
  return isObject(choice) && isObject(tools)
    ? { ...body, toolConfig: { ...tools, ...choice } }
    : { ...body, ...demand };
}

/** Limits that cut a call which a request demands: a small model, too, spends its first tokens on it. */
export const cuttingLimits: readonly number[] = [16, 20, 28, 40, 64];
