/** Anthropic's response that is not streamed: the message, or the error with its hints; written and read. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, GeneratedBlock, Generation, ProviderError, RenderContext } from '../../messages.ts';
import { parameterBoundary } from '../shared/json-scan.ts';
import { contentFault, excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import { Assembly } from '../shared/assembly.ts';
import { isArray } from '../shared/body-reader.ts';
import type { ErrorResponse, HeaderFields, WholeResponse } from '../shared/dialect.ts';
import { httpError, retryHeaders } from '../shared/http-error.ts';
import { takeStop, takeUsage } from './message.ts';
import { emptyMessage, signatureOf, stopSequence, stopWords, usageObject } from './render.ts';
import { errorObject, errorStatus, errorType } from './words.ts';

/** Renders the whole message. Of two contradictory stop words only the first has a place. */
export function whole(generation: Generation, context: RenderContext): WholeResponse {
  const { error } = context.end;
  if (error !== undefined) return errorBody(error, context.id('req_'));
  const message = emptyMessage(context);
  const [word] = stopWords(context);
  const body = {
    ...message,
    content: generation.blocks.map((block) => contentBlock(block, context)),
    stop_reason: word ?? null,
    stop_sequence: stopSequence(context, word ?? ''),
    usage: { ...(isJsonObject(message['usage']) ? message['usage'] : {}), ...usageObject(context.end.usage) },
  };
  return { status: 200, body };
}

/** An error before any stream: "the same body plus `request_id`". */
export function errorBody(error: ProviderError, id: string): ErrorResponse {
  return {
    status: errorStatus(error),
    headers: { 'request-id': id, ...retryHeaders(error) },
    body: { type: 'error', error: errorObject(error), request_id: id },
  };
}

function contentBlock(block: GeneratedBlock, context: RenderContext): JsonObject {
  const { text, complete } = block;
  switch (block.kind) {
    case 'text':
      return { type: 'text', text };
    case 'thinking':
      return {
        type: 'thinking',
        thinking: text,
        signature: complete ? signatureOf(block, context) : '',
      };
    case 'tool_call':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: parametersOf(text),
        caller: { type: 'direct' },
      };
  }
}

/** `input` is an object also where the call was cut: the parameters that were whole. */
function parametersOf(text: string): JsonObject {
  for (const candidate of [text, `${text.slice(0, parameterBoundary(text, text.length))}}`]) {
    const value = parseJson(candidate);
    if (isJsonObject(value)) return value;
  }
  return {};
}

/**
 * Reads a response that is no stream. A call that comes last when a limit was hit is taken for cut: `input` is an object
 * in any case, and does not tell.
 */
export function readWhole(status: number, headers: HeaderFields, bytes: Uint8Array): Decoded {
  const assembly = new Assembly();
  const text = new TextDecoder().decode(bytes);
  const body = parseJson(text);
  if (status >= 400) assembly.fail(httpError(status, headers, errorSaid(body, text)));
  else if (!isJsonObject(body) || body['type'] !== 'message') {
    assembly.refuse(`expected a message as JSON; came ${excerpt(text)}`);
  } else takeMessage(assembly, body, text);
  return assembly.decoded();
}

function errorSaid(body: unknown, text: string): { readonly type?: string; readonly message: string } {
  const error = isJsonObject(body) ? body['error'] : undefined;
  if (!isJsonObject(error)) return { message: excerpt(text) };
  const { type, message } = error;
  return {
    ...(typeof type === 'string' ? { type: errorType(type) } : {}),
    message: typeof message === 'string' ? message : excerpt(text),
  };
}

function takeMessage(assembly: Assembly, body: JsonObject, text: string): void {
  if (typeof body['model'] === 'string') assembly.model(body['model']);
  takeUsage(assembly, body['usage']);
  takeStop(assembly, body['stop_reason']);
  if (assembly.stopped === undefined) assembly.warn('the message has no stop reason');
  const blocks = isArray(body['content']) ? body['content'].filter((block) => isJsonObject(block)) : [];
  const fault = contentFault(text);
  for (const [i, block] of blocks.entries()) {
    if (block['type'] === 'tool_use')
      takeCall(assembly, block, fault, i === blocks.length - 1 && assembly.limited);
    else takeBlock(assembly, block);
  }
}

function takeCall(
  assembly: Assembly,
  block: JsonObject,
  fault: ArgumentsFault | undefined,
  cut: boolean,
): void {
  const { id, name, input } = block;
  if (typeof id !== 'string' || typeof name !== 'string')
    assembly.warn('a tool_use block without id and name');
  else assembly.given({ id, name }, input, fault, cut);
}

function takeBlock(assembly: Assembly, block: JsonObject): void {
  const { type, text, thinking, signature } = block;
  if (type === 'text' && typeof text === 'string') assembly.text(text);
  else if (type === 'thinking' && typeof thinking === 'string') {
    assembly.thought();
    assembly.think(thinking);
    if (typeof signature === 'string' && signature !== '') assembly.sign(signature);
  }
}
