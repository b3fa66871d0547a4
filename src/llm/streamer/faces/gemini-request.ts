/** Reads requests of Gemini's `generateContent`, with the words of its refusals. */
import { decoded } from '../routes.ts';
import { geminiFault } from './gemini-checks.ts';
import { isArray, isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest, Refused, ToolSpec } from '../../messages.ts';

/** A part of a path that names the model and the method, such as `models/gemini-2.5-pro:generateContent`. */
export const geminiPath: RegExp = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

/** Whether a stream is SSE; without `alt=sse` it is one JSON array. */
const isSse = (target: string): boolean => /[?&]alt=sse(?:&|$)/.test(target);

/** Reads a request; refuses what Gemini refuses: see `gemini-checks.ts`. */
export function readGeminiRequest(body: Json, path: string, target: string): Result<LlmRequest, Refused> {
  const [, model = '', method = ''] = geminiPath.exec(path) ?? [];
  const fields = isObject(body) ? body : {};
  const { contents } = fields;
  if (!isArray(contents) || contents.length === 0)
    return refusedAt('contents', '* GenerateContentRequest.contents: contents is not specified');
  const config = objectOf(fields['generationConfig']);
  const { maxOutputTokens: maxTokens, stopSequences: stops } = config;
  const fault = geminiFault(fields, contents, method === 'countTokens');
  if (fault !== undefined) return refusedAt(fault.path, fault.message);
  const messages = readContents(contents);
  const system = textOf(partsOf(fields['systemInstruction'] ?? fields['system_instruction']));
  return ok({
    // Its consequences of a cut are those of a provider that sends whole calls.
    dialect: 'ollama',
    face: 'gemini',
    model: decoded(model),
    ...(system === '' ? {} : { system }),
    messages,
    tools: readTools(fields['tools']),
    ...(typeof maxTokens === 'number' && maxTokens > 0 ? { maxTokens } : {}),
    ...(isArray(stops) ? { stopSequences: stops.map(String) } : {}),
    stream: method === 'streamGenerateContent' && isSse(target),
    includeUsage: true,
  });
}

const refusedAt = (path: string, message: string): Result<LlmRequest, Refused> =>
  refuse({ path, error: { type: 'invalid_request', status: 400, message } });

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

const nameOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const partsOf = (content: Json | undefined): readonly JsonObject[] => {
  const { parts } = objectOf(content);
  return isArray(parts) ? parts.map(objectOf) : [];
};

const textOf = (parts: readonly JsonObject[]): string =>
  parts.map(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : '')).join('');

/** The messages. Calls without an id get one from their place. */
function readContents(contents: readonly Json[]): readonly LlmMessage[] {
  const messages: LlmMessage[] = [];
  /** Calls without a result, by name. */
  let open: { readonly id: string; readonly name: string }[] = [];
  for (const [i, content] of contents.entries()) {
    const parts = partsOf(content);
    const { role = 'user' } = objectOf(content);
    if (role === 'model') {
      const calls = parts.flatMap((part, n) => callOf(part, `call_${i}_${n}`));
      open = calls.map(({ id, name }) => ({ id, name }));
      messages.push({
        role: 'assistant',
        content: textOf(parts),
        ...(calls.length > 0 && { toolCalls: calls }),
      });
      continue;
    }
    const results = parts.flatMap((part) => resultOf(part, open));
    messages.push({
      role: 'user',
      content: textOf(parts),
      ...(results.length > 0 && { toolResults: results }),
    });
  }
  return messages;
}

function callOf({ functionCall }: JsonObject, placed: string): readonly ToolCall[] {
  if (!isObject(functionCall)) return [];
  const { id, name, args = {} } = functionCall;
  const input = (isObject(args) ? args : {}) as ToolCall['input'];
  return [{ id: typeof id === 'string' && id !== '' ? id : placed, name: nameOf(name), input }];
}

/** A result belongs to the call of its id, else to the first open one of its name. */
function resultOf(
  { functionResponse }: JsonObject,
  open: { readonly id: string; readonly name: string }[],
): readonly ToolOutcome[] {
  if (!isObject(functionResponse)) return [];
  const { id, name, response = {} } = functionResponse;
  const at = open.findIndex((call) => (typeof id === 'string' ? call.id === id : call.name === name));
  const [call] = at < 0 ? [] : open.splice(at, 1);
  const isError = isObject(response) && 'error' in response;
  return [{ id: call?.id ?? (typeof id === 'string' ? id : ''), content: JSON.stringify(response), isError }];
}

function readTools(tools: Json | undefined): readonly ToolSpec[] {
  if (!isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const { functionDeclarations: camel, function_declarations: snake } = objectOf(tool);
    const list = camel ?? snake;
    return (isArray(list) ? list : []).map((entry) => {
      const { name, description, parameters, parametersJsonSchema } = objectOf(entry);
      return {
        name: nameOf(name),
        ...(typeof description === 'string' && { description }),
        inputSchema: lowerTypes(parametersJsonSchema ?? parameters ?? {}),
      };
    });
  });
}

/** Gemini's schemas have types in capitals (`STRING`). */
function lowerTypes(schema: Json): JsonObject {
  const lower = (value: Json): Json => {
    if (isArray(value)) return value.map(lower);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, at]) => [
        key,
        key === 'type' && typeof at === 'string' ? at.toLowerCase() : lower(at),
      ]),
    ) as Json;
  };
  return objectOf(lower(schema));
}
