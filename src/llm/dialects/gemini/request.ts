/** Requests of `generateContent` and `streamGenerateContent`, read with the API's refusals, and written. */
import { isArray, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused, ToolSpec } from '../../messages.ts';
import { nestedDeeper } from '../shared/arguments.ts';
import type { GivenWords } from '../shared/body-reader.ts';
import type { HeaderFields, WireRequest } from '../shared/dialect.ts';
import { functionsOf } from '../shared/functions.ts';
import { readContents, textOf, writeContents } from './contents.ts';
import { memberOf, nameIn, objectIn, partsOf } from './members.ts';
import { geminiFault } from './request-checks.ts';

/** A path that names the model and the method, such as `models/gemini-3-pro:generateContent`, with or without a query. */
const pathForm = /\/models\/([^/:?]+):(\w+)(?:\?|$)/;

/** Most levels of a body. */
const mostDepth = 512;

/**
 * Reads a request; refuses what Gemini refuses: see `request-checks.ts`. The path has the model, and says whether the answer
 * streams; without a path it does.
 *
 * @param path - the path, with or without its query
 */
export function readRequest(
  body: Json,
  _headers: HeaderFields,
  path?: string,
  _given?: GivenWords,
): Result<LlmRequest, Refused> {
  const [, model = '', method = path === undefined ? 'streamGenerateContent' : ''] =
    pathForm.exec(path ?? '') ?? [];
  if (nestedDeeper(body, mostDepth)) return refusedAt('', `expected at most ${mostDepth} levels of nesting`);
  // A count may have its request inside.
  const fields = objectIn(objectIn(body)['generateContentRequest'] ?? body);
  const { contents } = fields;
  if (!isArray(contents) || contents.length === 0)
    return refusedAt('contents', '* GenerateContentRequest.contents: contents is not specified');
  const fault = geminiFault(fields, contents, method === 'countTokens');
  if (fault !== undefined) return refusedAt(fault.path, fault.message);
  const system = textOf(partsOf(memberOf(fields, 'systemInstruction')));
  return ok({
    dialect: 'gemini',
    model: decoded(model),
    ...(system === '' ? {} : { system }),
    messages: readContents(contents),
    tools: readTools(fields),
    ...readLimits(objectIn(memberOf(fields, 'generationConfig'))),
    stream: method === 'streamGenerateContent',
    includeUsage: true,
  });
}

const refusedAt = (path: string, message: string): Result<LlmRequest, Refused> =>
  refuse({ path, error: { type: 'invalid_request', status: 400, message } });

/** A part of a path without its escapes; unchanged where they are no UTF-8. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readLimits(config: JsonObject): Pick<LlmRequest, 'maxTokens' | 'stopSequences'> {
  const limit = memberOf(config, 'maxOutputTokens');
  const stops = memberOf(config, 'stopSequences');
  return {
    ...(typeof limit === 'number' && limit > 0 ? { maxTokens: limit } : {}),
    ...(isArray(stops) && stops.length > 0 ? { stopSequences: stops.map(String) } : {}),
  };
}

/** Whether a request asks for arguments as they are generated. */
const streamsArguments = (fields: JsonObject): boolean => {
  const config = memberOf(objectIn(memberOf(fields, 'toolConfig')), 'functionCallingConfig');
  return memberOf(objectIn(config), 'streamFunctionCallArguments') === true;
};

function readTools(fields: JsonObject): readonly ToolSpec[] {
  const { tools } = fields;
  const eager = streamsArguments(fields);
  if (!isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const list = memberOf(objectIn(tool), 'functionDeclarations');
    return (isArray(list) ? list : []).map((entry): ToolSpec => {
      const declaration = objectIn(entry);
      const { description, parameters } = declaration;
      return {
        name: nameIn(declaration['name']),
        ...(typeof description === 'string' && { description }),
        inputSchema: objectIn(memberOf(declaration, 'parametersJsonSchema') ?? lowerTypes(parameters ?? {})),
        ...(eager && { eager }),
      };
    });
  });
}

/** Gemini's own schemas have types in capitals (`STRING`). */
function lowerTypes(value: Json): Json {
  if (isArray(value)) return value.map(lowerTypes);
  const fields = objectIn(value);
  if (fields !== value) return value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, at]): [string, Json] => [
      key,
      key === 'type' && typeof at === 'string' ? at.toLowerCase() : lowerTypes(at),
    ]),
  );
}

/** The path of a method for a model. */
export const pathOf = (model: string, method: string): string =>
  `/v1beta/models/${encodeURIComponent(model)}:${method}`;

/** Writes a request. Arguments stream for all tools, or for none. */
export function writeRequest(request: LlmRequest): WireRequest {
  const { maxTokens, stopSequences, model, stream } = request;
  const config = {
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
  };
  const body = {
    ...promptOf(request),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
  const path = stream
    ? `${pathOf(model, 'streamGenerateContent')}?alt=sse`
    : pathOf(model, 'generateContent');
  return { path, headers: {}, body };
}

/** The body that asks for a count: the prompt, with the model of its request. */
export const writeCount = (request: LlmRequest): JsonObject => ({
  generateContentRequest: { model: `models/${request.model}`, ...promptOf(request) },
});

function promptOf(request: LlmRequest): JsonObject {
  const { system, messages } = request;
  const tools = functionsOf(request.tools);
  const eager = tools.some((tool) => tool.eager === true);
  return {
    contents: writeContents(messages),
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(writeTool) }] }),
    ...(eager && { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }),
  };
}

const writeTool = ({ name, description, inputSchema }: ToolSpec): JsonObject => ({
  name,
  ...(description === undefined ? {} : { description }),
  parametersJsonSchema: inputSchema,
});
