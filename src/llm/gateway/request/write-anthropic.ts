/** Writes a body of `POST /v1/messages`. Shapes: @anthropic-ai/sdk 1.14.0, MessageCreateParams. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { loneSurrogateIn } from '../../dialects/shared/lone-surrogate.ts';
import { anthropicEffort, leastBudget, levelOf } from './effort.ts';
import { isFetchable, textOfBytes } from './media.ts';
import { given } from './members.ts';
import type {
  CallPart,
  Format,
  FullRequest,
  Media,
  ResultPart,
  TextPart,
  Tool,
  WriteOptions,
  WrittenRequest,
} from './request.ts';
import { isKind, isWhole, joined, leadingSystem, placed, turnsOf } from './turns.ts';
import type { Placed, Turn } from './turns.ts';
import { isBlank, Writing } from './writing.ts';

/** The version in which the API began; all later ones take its requests. */
const headers = { 'anthropic-version': '2023-06-01' };

/** `max_tokens` where the request has no limit. */
const defaultLimit = 4096;

export function writeAnthropic(request: FullRequest, options: WriteOptions = {}): WrittenRequest {
  const writing = new Writing('anthropic', request);
  const { tools, stop, user, stream, topK } = request;
  const turns = turnsOf(request);
  const system = leadingSystem(turns);
  const effort = writeEffort(writing);
  const thinks = effort.thinking !== undefined && request.effort !== 'off';
  const limit = writeLimit(writing, options, effort.budget);
  const format = writeFormat(writing);
  const config = { ...format, ...effort.config };
  writing.loseGiven('previous', 'store');
  return writing.end(
    '/v1/messages',
    given({
      model: request.model,
      max_tokens: limit,
      ...writeSystem(writing, system),
      messages: writeMessages(writing, turns.slice(system.length), thinks),
      tools: tools.length === 0 ? undefined : tools.map((tool) => writeTool(writing, tool)),
      ...writeChoice(writing),
      temperature: writing.within('temperature', 0, 1),
      top_p: writing.within('topP', 0, 1),
      top_k: topK,
      stop_sequences: stop,
      output_config: Object.keys(config).length === 0 ? undefined : config,
      ...effort.thinking,
      metadata: user === undefined ? undefined : { user_id: user },
      stream,
    }),
    headers,
  );
}

function writeSystem(writing: Writing, turns: readonly Turn[]): JsonObject {
  const blocks = turns.flatMap(({ parts }) => parts.flatMap((one) => writeSystemPart(writing, one)));
  return blocks.length === 0 ? {} : { system: textOrBlocks(blocks) };
}

const writeSystemPart = (writing: Writing, one: Placed): readonly Json[] =>
  isKind('text')(one) || isKind('other')(one) ? writePart(writing, one, 'system') : writing.misplaced(one);

/**
 * The messages of the user and the assistant. Later system text is the user's text in its place: not every model takes a message
 * of the system (@anthropic-ai/sdk 1.14.0, SystemMessageParam), and only a client of the API knows its model.
 */
function writeMessages(writing: Writing, turns: readonly Turn[], thinks: boolean): readonly Json[] {
  const spoken = turns.map((turn): Turn =>
    turn.role === 'system' && !writing.own ? { ...turn, role: 'user' } : turn,
  );
  const merged = joined(spoken, (before, next) => !isWhole(before) && !isWhole(next)).map(withResultsFirst);
  return merged.flatMap((turn, i) => {
    const isFinal = i === merged.length - 1 && turn.role === 'assistant' && !writing.own;
    return writeTurn(writing, isFinal ? { ...turn, parts: finalParts(writing, turn, thinks) } : turn);
  });
}

function withResultsFirst(turn: Turn): Turn {
  const results = turn.parts.filter(isKind('result'));
  return { ...turn, parts: [...results, ...turn.parts.filter((one) => one.part.kind !== 'result')] };
}

/** A message without content is left out: the API refuses it, which its own client may hear. */
function writeTurn(writing: Writing, turn: Turn): readonly Json[] {
  const { parts } = turn;
  if (isWhole(turn)) return parts.flatMap((one) => writePart(writing, one, turn.role));
  const content = parts.flatMap((one) => writePart(writing, one, turn.role));
  if (content.length === 0 && !(writing.own && parts.length === 0)) return [];
  return [
    writing.more({ role: turn.role, content: content.length === 0 ? '' : textOrBlocks(content) }, turn),
  ];
}

/**
 * The parts of a last message of the assistant. "final assistant content cannot end with trailing whitespace"; "When thinking is
 * disabled, an `assistant` message in the final position cannot contain `thinking`."
 */
function finalParts(writing: Writing, turn: Turn, thinks: boolean): readonly Placed[] {
  const parts = turn.parts.filter((one) => thinks || !isThought(one));
  if (!thinks) for (const one of turn.parts.filter(isThought)) writing.misplaced(one);
  const last = parts.at(-1);
  if (last === undefined || !isKind('text')(last)) return parts;
  const text = last.part.text.trimEnd();
  if (text !== '' && text !== last.part.text) writing.lose(last.at, 'without white space at its end');
  return text === '' ? parts : [...parts.slice(0, -1), { ...last, part: { ...last.part, text } }];
}

const isThought = ({ part }: Placed): boolean => part.kind === 'thought' || part.kind === 'redacted';

/** One text without further members is a string. */
function textOrBlocks(blocks: readonly Json[]): Json {
  const [block] = blocks;
  const isPlain = blocks.length === 1 && isObject(block) && Object.keys(block).length === 2;
  return isPlain && block['type'] === 'text' && block['text'] !== undefined ? block['text'] : blocks;
}

function writePart(writing: Writing, one: Placed, role: Turn['role'] | 'result'): readonly Json[] {
  const { own } = writing;
  if (isKind('text')(one)) return writeText(writing, one);
  if (isKind('image')(one) || isKind('file')(one))
    return role === 'assistant' && !own ? writing.misplaced(one) : writeMedia(writing, one);
  if (isKind('other')(one)) return writing.other(one);
  if (isKind('call')(one) && (role === 'assistant' || own)) return [writeCall(writing, one)];
  if (isKind('result')(one) && (role === 'user' || own)) return [writeResult(writing, one)];
  if (isKind('redacted')(one))
    return [writing.more({ type: 'redacted_thinking', data: one.part.data }, one.part)];
  if (isKind('thought')(one) && (one.part.signature ?? '') !== '') {
    const { text: thinking, signature = '' } = one.part;
    return [writing.more({ type: 'thinking', thinking, signature }, one.part)];
  }
  return writing.misplaced(one);
}

/** "text content blocks must contain non-whitespace text". An empty text says nothing, and is not lost. */
function writeText(writing: Writing, { part, at }: Placed<TextPart>): readonly Json[] {
  if (isBlank(part) && !writing.own) {
    if (part.text !== '') writing.lose(at);
    return [];
  }
  if (part.refusal === true) writing.lose(`${at}.refusal`);
  return [writing.more({ type: 'text', text: part.text }, part)];
}

const imageMimes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function writeMedia(writing: Writing, one: Placed<Media>): readonly Json[] {
  const { part } = one;
  const source = part.data === undefined ? urlSource(writing, part) : bytesSource(writing, part, part.data);
  if (source === undefined) return writing.misplaced(one);
  if (part.kind === 'image') return [writing.more({ type: 'image', source }, part)];
  return [writing.more(given({ type: 'document', source, title: part.name }), part)];
}

const urlSource = (writing: Writing, { url, ...rest }: Media): JsonObject | undefined =>
  url !== undefined && (writing.own || isFetchable({ url, ...rest })) ? { type: 'url', url } : undefined;

function bytesSource(writing: Writing, { kind, mime }: Media, data: string): JsonObject | undefined {
  const text = kind === 'file' && mime === 'text/plain' ? textOfBytes(data) : undefined;
  if (text !== undefined) return { type: 'text', media_type: 'text/plain', data: text };
  const known = kind === 'image' ? imageMimes : ['application/pdf'];
  if (!writing.own && (mime === undefined || !known.includes(mime))) return undefined;
  return given({ type: 'base64', media_type: mime, data });
}

function writeCall(writing: Writing, one: Placed<CallPart>): JsonObject {
  const { id, name } = one.part;
  const input = wholeCharacters(writing, one, writing.argumentsObject(one));
  const call = { type: 'tool_use', id: writing.id(id), name: writing.name(name), input };
  return writing.more(call, one.part);
}

/**
 * Arguments without half surrogate pairs, which the API refuses anywhere in a body. In a text of arguments they are escapes,
 * and lawful.
 */
function wholeCharacters(writing: Writing, { at }: Placed, input: Json): Json {
  if (writing.own || loneSurrogateIn(input) === undefined) return input;
  writing.lose(`${at}.arguments`, 'U+FFFD for half surrogate pairs');
  return wellFormed(input);
}

function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)]));
}

function writeResult(writing: Writing, one: Placed<ResultPart>): JsonObject {
  const { part, at } = one;
  writing.loseResultName(one);
  const blocks = placed(part.parts, at).flatMap((inner) => writePart(writing, inner, 'result'));
  const content = blocks.length === 0 ? '' : textOrBlocks(blocks);
  const failed = part.failed === true ? { is_error: true } : {};
  return writing.more({ type: 'tool_result', tool_use_id: writing.id(part.id), content, ...failed }, part);
}

/** The API wants `type: object`, which a schema of no arguments may lack. */
function writeTool(writing: Writing, tool: Tool): JsonObject {
  const { description, schema, strict } = tool;
  const input_schema = schema['type'] === undefined && !writing.own ? { type: 'object', ...schema } : schema;
  return writing.more(given({ name: writing.name(tool.name), description, input_schema, strict }), tool);
}

/** The choice, and in it the wish for one call at a time. Both need tools. */
function writeChoice(writing: Writing): JsonObject {
  const { choice, parallel, tools } = writing.request;
  if (tools.length === 0 && !writing.own) {
    writing.loseGiven('choice', 'parallel');
    return {};
  }
  const one = parallel === false || (parallel !== undefined && choice !== undefined);
  const flag = one && choice !== 'none' ? { disable_parallel_tool_use: !parallel } : {};
  if (choice === 'none' && parallel !== undefined) writing.lose('parallel');
  if (choice === undefined) return parallel === false ? { tool_choice: { type: 'auto', ...flag } } : {};
  if (typeof choice === 'object')
    return { tool_choice: { type: 'tool', name: writing.name(choice.name), ...flag } };
  return { tool_choice: { type: choice === 'must' ? 'any' : choice, ...flag } };
}

/** The API has a schema without a name, which it always keeps strictly, and no word for any JSON. */
function writeFormat(writing: Writing): { readonly format?: JsonObject } {
  const { format } = writing.request;
  if (format === undefined) return {};
  if (format.kind === 'json') {
    writing.lose('format');
    return {};
  }
  loseFormatWords(writing, format);
  return { format: { type: 'json_schema', schema: format.schema } };
}

function loseFormatWords(writing: Writing, format: Extract<Format, { readonly kind: 'schema' }>): void {
  if (format.name !== undefined) writing.lose('format.name');
  if (format.strict !== undefined) writing.lose('format.strict');
}

interface WrittenEffort {
  readonly thinking?: JsonObject;
  readonly config?: JsonObject;
  readonly budget?: number;
}

/**
 * Effort is `thinking` and, as a level, `output_config.effort`. The API refuses thinking beside a forced call, a temperature
 * ("may only be set to 1 when thinking is enabled or in adaptive mode"), top_k, or a top_p below 0.95; the level is then alone.
 */
function writeEffort(writing: Writing): WrittenEffort {
  const { effort, limit } = writing.request;
  if (effort === undefined) return {};
  if (effort === 'off') return { thinking: { thinking: { type: 'disabled' } } };
  const thinks = writing.own || !refusesThinking(writing.request);
  const adaptive = { thinking: { thinking: { type: 'adaptive' } } };
  if (effort === 'adaptive' && thinks) return adaptive;
  if (typeof effort === 'object' && thinks && (writing.own || limit === undefined || limit > leastBudget))
    return writeBudget(writing, effort.budget);
  const level = levelOf(effort);
  const written = anthropicEffort(level === 'off' ? 'low' : level);
  if (written !== effort) writing.lose('effort', written);
  // A client of the API says by itself whether the model thinks.
  return { config: { effort: written }, ...(thinks && !writing.own ? adaptive : {}) };
}

/** A budget from the least one to below the limit. */
function writeBudget(writing: Writing, wanted: number): WrittenEffort {
  const { limit = Infinity } = writing.request;
  const budget = writing.own ? wanted : Math.min(Math.max(wanted, leastBudget), limit - 1);
  if (budget !== wanted) writing.lose('effort', budget);
  return { thinking: { thinking: { type: 'enabled', budget_tokens: budget } }, budget };
}

const refusesThinking = ({ choice, temperature = 1, topK, topP = 1 }: FullRequest): boolean =>
  choice === 'must' || typeof choice === 'object' || temperature !== 1 || topK !== undefined || topP < 0.95;

/** The limit spans the thoughts too: where none is given, the default is for what comes after them. */
function writeLimit(
  { request, own }: Writing,
  { limit = defaultLimit }: WriteOptions,
  budget = 0,
): number | undefined {
  if (request.limit !== undefined) return request.limit;
  return own ? undefined : budget + limit;
}
