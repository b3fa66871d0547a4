/** Writes a body of `POST /api/chat`. Shapes: ollama 0.6.4, ChatRequest, with the ids that newer servers have. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { levelOf, ollamaThink } from './effort.ts';
import { given } from './members.ts';
import { writeTool } from './openai.ts';
import type { CallPart, FullRequest, OtherPart, ResultPart, Tool, WrittenRequest } from './request.ts';
import { calls, isKind, isWhole, joined, placed, turnsOf } from './turns.ts';
import type { Placed, Turn } from './turns.ts';
import { Writing } from './writing.ts';

export function writeOllama(request: FullRequest): WrittenRequest {
  const writing = new Writing('ollama', request);
  const { limit, temperature, topP, topK, stop, stream } = request;
  const options = given({ num_predict: limit, temperature, top_p: topP, top_k: topK, stop });
  writing.loseGiven('user', 'previous', 'store');
  if (request.parallel === false) writing.lose('parallel');
  const turns = joined(turnsOf(request), (before) => calls(before));
  return writing.end(
    '/api/chat',
    given({
      model: request.model,
      messages: turns.flatMap((turn) => writeTurn(writing, turn)),
      tools: writeOffered(writing),
      format: writeFormat(writing),
      think: writeThink(writing),
      options: Object.keys(options).length === 0 ? undefined : options,
      stream,
    }),
  );
}

/** Ollama has no choice: the model may call. Without tools it cannot. */
function writeOffered(writing: Writing): readonly JsonObject[] | undefined {
  const { choice, tools } = writing.request;
  if (choice !== undefined && choice !== 'auto') writing.lose('choice');
  if (choice === 'none') {
    if (tools.length > 0) writing.lose('tools');
    return undefined;
  }
  return tools.length === 0 ? undefined : tools.map((tool, i) => writeLoose(writing, tool, i));
}

/** Ollama promises nothing of the arguments. */
function writeLoose(writing: Writing, tool: Tool, i: number): JsonObject {
  if (writing.own) return writeTool(writing, tool, 'wrapped');
  const { strict, ...loose } = tool;
  if (strict === true) writing.lose(`tools[${i}].strict`);
  return writeTool(writing, loose, 'wrapped');
}

function writeFormat(writing: Writing): Json | undefined {
  const { format } = writing.request;
  if (format?.kind !== 'schema') return format?.kind;
  if (format.name !== undefined) writing.lose('format.name');
  if (format.strict !== undefined) writing.lose('format.strict');
  return format.schema;
}

function writeThink(writing: Writing): Json | undefined {
  const { effort } = writing.request;
  if (effort === undefined) return undefined;
  if (effort === 'adaptive') return true;
  const written = ollamaThink[levelOf(effort)];
  if (written !== false && written !== effort) writing.lose('effort', written);
  return written;
}

function writeTurn(writing: Writing, turn: Turn): readonly Json[] {
  if (isWhole(turn))
    return turn.parts.flatMap((one) => (isKind('other')(one) ? writing.other(one) : writing.misplaced(one)));
  if (turn.role === 'assistant') return [writeAssistant(writing, turn)];
  const results = turn.parts.filter(isKind('result'));
  const others = turn.parts.filter((one) => one.part.kind !== 'result');
  const own = writeSpoken(writing, others);
  const isEmpty = turn.parts.length > 0 && own.images === undefined && own.content === '';
  return [
    ...results.map((one) => writeResult(writing, one)),
    ...(isEmpty ? [] : [writing.more({ role: turn.role, ...own }, turn)]),
  ];
}

/** The texts are one content, one a line; images are base64 beside it. */
function writeSpoken(
  writing: Writing,
  parts: readonly Placed[],
): { readonly content: string; readonly images?: readonly string[] } {
  const texts: string[] = [];
  const images: string[] = [];
  for (const one of parts) {
    const { part, at } = one;
    if (part.kind === 'text') {
      if (part.text !== '') texts.push(part.text);
      if (part.refusal === true) writing.lose(`${at}.refusal`);
    } else if (part.kind === 'image' && part.data !== undefined) images.push(part.data);
    else writing.misplaced(one);
  }
  return { content: texts.join('\n'), ...(images.length === 0 ? {} : { images }) };
}

/** Thoughts go back only to a server that sent them. */
function writeAssistant(writing: Writing, turn: Turn): JsonObject {
  const thoughts = turn.parts.filter(isKind('thought'));
  if (!writing.own) for (const one of thoughts) writing.misplaced(one);
  const thinking = writing.own ? thoughts.map(({ part }) => part.text).join('\n') : '';
  const called = turn.parts.filter(isCalled);
  const tool_calls = called.flatMap((one) => writeCall(writing, one));
  const spoken = turn.parts.filter((one) => one.part.kind !== 'thought' && !isCalled(one));
  return writing.more(
    given({
      role: 'assistant',
      ...writeSpoken(writing, spoken),
      thinking: thinking === '' ? undefined : thinking,
      tool_calls: tool_calls.length === 0 ? undefined : tool_calls,
    }),
    turn,
  );
}

type Called = Placed<CallPart | OtherPart>;

const isCalled = (one: Placed): one is Called =>
  isKind('call')(one) || (isKind('other')(one) && one.part.place === 'call');

function writeCall(writing: Writing, one: Called): readonly Json[] {
  if (isKind('other')(one)) return writing.other(one);
  if (!isKind('call')(one)) return [];
  const { id, name } = one.part;
  const made = { name: writing.name(name), arguments: writing.argumentsObject(one) };
  return [writing.more({ id: writing.id(id), function: made }, one.part)];
}

/** Results have the name of their tool, and no mark for a failure. */
function writeResult(writing: Writing, one: Placed<ResultPart>): JsonObject {
  const { part, at } = one;
  if (part.failed === true) writing.lose(`${at}.failed`);
  const spoken = writeSpoken(writing, placed(part.parts, at));
  const tool_name = writing.resultName(part);
  const tool_call_id = part.id === '' ? undefined : writing.id(part.id);
  return writing.more(given({ role: 'tool', ...spoken, tool_name, tool_call_id }), part);
}
