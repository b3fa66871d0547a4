/** Writes a body of `POST /v1/chat/completions`. Shapes: openai 7.59.0, ChatCompletionCreateParams. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { urlOf } from './media.ts';
import { given } from './members.ts';
import { writeChoice, writeEffort, writeTools } from './openai.ts';
import type {
  CallPart,
  FullRequest,
  Media,
  OtherPart,
  ResultPart,
  TextPart,
  WrittenRequest,
} from './request.ts';
import { calls, isKind, isWhole, joined, placed, turnsOf } from './turns.ts';
import type { Placed, Turn } from './turns.ts';
import { defaultFormatName, Writing } from './writing.ts';

/** "Up to 4 sequences where the API will stop generating further tokens." */
const mostStops = 4;

export function writeOpenaiChat(request: FullRequest): WrittenRequest {
  const writing = new Writing('openai-chat', request);
  const { stream, includeUsage } = request;
  const usage = stream || writing.own ? includeUsage : undefined;
  writing.loseGiven('topK', 'previous', 'store');
  // No message of the assistant may stand between calls and their results.
  const turns = joined(turnsOf(request), (before) => calls(before));
  return writing.end(
    '/v1/chat/completions',
    given({
      model: request.model,
      messages: turns.flatMap((turn) => writeTurn(writing, turn)),
      tools: writeTools(writing, 'wrapped'),
      ...writeChoice(writing, 'wrapped'),
      max_completion_tokens: request.limit,
      temperature: writing.within('temperature', 0, 2),
      top_p: writing.within('topP', 0, 1),
      stop: writeStop(writing),
      response_format: writeFormat(request),
      reasoning_effort: writeEffort(writing),
      user: request.user,
      stream,
      stream_options: usage === undefined ? undefined : { include_usage: usage },
    }),
  );
}

function writeStop(writing: Writing): readonly string[] | undefined {
  const { stop } = writing.request;
  if (stop === undefined || stop.length <= mostStops || writing.own) return stop;
  writing.lose('stop', `the first ${mostStops}`);
  return stop.slice(0, mostStops);
}

function writeFormat({ format }: FullRequest): JsonObject | undefined {
  if (format === undefined) return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  const { name = defaultFormatName, schema, strict } = format;
  return { type: 'json_schema', json_schema: given({ name, schema, strict }) };
}

function writeTurn(writing: Writing, turn: Turn): readonly Json[] {
  if (isWhole(turn))
    return turn.parts.flatMap((one) => (isKind('other')(one) ? writing.other(one) : writing.misplaced(one)));
  if (turn.role === 'assistant') return [writeAssistant(writing, turn)];
  const results = turn.parts.filter(isKind('result'));
  const others = turn.parts.filter((one) => one.part.kind !== 'result');
  const media = writing.own ? [] : results.flatMap((one) => mediaOf(writing, one));
  return [
    ...results.map((one) => writeResult(writing, one)),
    // A message of a tool has texts only: its images are in a message of the user behind all results.
    ...(media.length === 0 ? [] : [{ role: 'user', content: media }]),
    ...(turn.parts.length > 0 && others.length === 0 ? [] : writeSpoken(writing, turn, others)),
  ];
}

/** A message of the user or the system. It is left out where nothing of it can be written. */
function writeSpoken(writing: Writing, turn: Turn, parts: readonly Placed[]): readonly Json[] {
  const content = parts.flatMap((one) => writePart(writing, one, turn.role));
  if (parts.length > 0 && content.length === 0) return [];
  return [writing.more({ role: turn.role, content: textOrParts(content) }, turn)];
}

/** One text without further members is a string. */
function textOrParts(parts: readonly JsonObject[]): Json {
  const [part] = parts;
  if (part === undefined) return '';
  const isPlain = parts.length === 1 && part['type'] === 'text' && Object.keys(part).length === 2;
  return isPlain ? (part['text'] ?? '') : parts;
}

function writePart(writing: Writing, one: Placed, role: Turn['role']): readonly JsonObject[] {
  const { part } = one;
  if (isKind('text')(one)) return writeText(writing, one.part);
  if (isKind('other')(one)) return writing.other(one).filter((value) => isObject(value));
  if (role === 'user' && part.kind === 'image') return writeImage(writing, one, part);
  if (role === 'user' && part.kind === 'file') return writeFile(writing, one, part);
  return writing.misplaced(one);
}

function writeText(writing: Writing, part: TextPart): readonly JsonObject[] {
  const { text, refusal } = part;
  if (text === '' && !writing.own) return [];
  return [writing.more(refusal === true ? { type: 'refusal', refusal: text } : { type: 'text', text }, part)];
}

function writeImage(writing: Writing, one: Placed, part: Media): readonly JsonObject[] {
  const url = urlOf(part);
  if (url === undefined) return writing.misplaced(one);
  return [writing.more({ type: 'image_url', image_url: { url } }, part)];
}

/** A file is its bytes: Chat does not fetch any. */
function writeFile(writing: Writing, one: Placed, part: Media): readonly JsonObject[] {
  const file_data = part.data === undefined ? part.url : (urlOf(part) ?? part.data);
  if (part.data === undefined && !writing.own) return writing.misplaced(one);
  return [writing.more({ type: 'file', file: given({ file_data, filename: part.name }) }, part)];
}

/** Thoughts go back only to a server that sent them: OpenAI's API has no member for them. */
function writeAssistant(writing: Writing, turn: Turn): JsonObject {
  const thoughts = turn.parts.filter(isKind('thought'));
  if (!writing.own) for (const one of thoughts) writing.misplaced(one);
  const thought = writing.own ? thoughts.map(({ part }) => part.text).join('') : '';
  const called = turn.parts.filter(isCalled);
  const tool_calls = called.flatMap((one) => writeCall(writing, one));
  const spoken = turn.parts.filter((one) => one.part.kind !== 'thought' && !isCalled(one));
  const content = spoken.flatMap((one) => writePart(writing, one, 'assistant'));
  return writing.more(
    given({
      role: 'assistant',
      content: content.length === 0 && tool_calls.length > 0 ? null : textOrParts(content),
      reasoning_content: thought === '' ? undefined : thought,
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
  const { id, name, arguments: text } = one.part;
  const made = { name: writing.name(name), arguments: text === '' && !writing.own ? '{}' : text };
  return [writing.more({ id: writing.id(id), type: 'function', function: made }, one.part)];
}

/** Results have no names in Chat, and no mark for a failure. */
function writeResult(writing: Writing, one: Placed<ResultPart>): JsonObject {
  const { part, at } = one;
  const { own } = writing;
  if (!own) writing.loseResultName(one);
  if (part.failed === true) writing.lose(`${at}.failed`);
  const content = placed(part.parts, at).flatMap((inner) => {
    const isMoved = !own && isMedia(inner) && canWrite(inner.part);
    return isMoved ? [] : writePart(writing, inner, own ? 'user' : 'system');
  });
  const name = own ? part.name : undefined;
  return writing.more(
    given({ role: 'tool', tool_call_id: writing.id(part.id), name, content: textOrParts(content) }),
    part,
  );
}

const isMedia = (one: Placed): one is Placed<Media> => one.part.kind === 'image' || one.part.kind === 'file';

/** Whether media can be a part of the user. */
const canWrite = (part: Media): boolean =>
  part.kind === 'image' ? urlOf(part) !== undefined : part.data !== undefined;

/** The images and files of a result. */
function mediaOf(writing: Writing, { part, at }: Placed<ResultPart>): readonly JsonObject[] {
  return placed(part.parts, at)
    .filter(isMedia)
    .filter((one) => canWrite(one.part))
    .flatMap((one) => {
      writing.lose(one.at, 'in a message of the user');
      return writePart(writing, one, 'user');
    });
}
