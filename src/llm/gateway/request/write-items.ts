/** Writes messages as the input items of Responses. Shapes: openai 7.59.0, ResponseInputItem. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { urlOf } from './media.ts';
import { given } from './members.ts';
import type { CallPart, Media, ResultPart, TextPart, ThoughtPart } from './request.ts';
import { isKind, placed } from './turns.ts';
import type { Placed, Turn } from './turns.ts';
import type { Writing } from './writing.ts';

/** The items of a turn, in the order of its parts. */
export function writeItems(writing: Writing, turn: Turn): readonly Json[] {
  if (turn.parts.length === 0) return [writeMessage(writing, turn, [])];
  const items: Json[] = [];
  let content: Placed[] = [];
  const flush = (): void => {
    const parts = content.flatMap((one) => writePart(writing, one, turn.role));
    if (parts.length > 0) items.push(writeMessage(writing, turn, parts));
    content = [];
  };
  for (const one of turn.parts) {
    const written = writeItem(writing, one);
    if (written === undefined) content.push(one);
    else {
      flush();
      items.push(...written);
    }
  }
  flush();
  return items;
}

/** A part that is an item of its own; undefined where it is in a content. */
function writeItem(writing: Writing, one: Placed): readonly Json[] | undefined {
  if (isKind('call')(one)) return [writeCall(writing, one)];
  if (isKind('result')(one)) return [writeResult(writing, one)];
  if (isKind('thought')(one)) return writing.own ? [writeThought(writing, one.part)] : writing.misplaced(one);
  if (isKind('other')(one) && one.part.place !== undefined) return writing.other(one);
  return one.part.kind === 'redacted' ? writing.misplaced(one) : undefined;
}

const writeMessage = (writing: Writing, turn: Turn, parts: readonly JsonObject[]): JsonObject =>
  writing.more({ type: 'message', role: turn.role, content: textOrParts(parts) }, turn);

const textTypes: readonly Json[] = ['input_text', 'output_text'];

/** One text without further members is a string. */
function textOrParts(parts: readonly JsonObject[]): Json {
  const [part] = parts;
  if (part === undefined) return '';
  const isPlain = parts.length === 1 && textTypes.includes(part['type'] ?? null);
  const { type: _type, text, annotations, ...rest } = part;
  const isBare = Object.keys(rest).length === 0 && (!Array.isArray(annotations) || annotations.length === 0);
  return isPlain && isBare && text !== undefined ? text : parts;
}

function writePart(writing: Writing, one: Placed, role: Turn['role']): readonly JsonObject[] {
  if (isKind('text')(one)) return writeText(writing, one.part, role);
  if (isKind('other')(one)) return writing.other(one).filter((value) => isObject(value));
  const isMedia = isKind('image')(one) || isKind('file')(one);
  return isMedia && (role !== 'assistant' || writing.own) ? writeMedia(writing, one) : writing.misplaced(one);
}

function writeText(writing: Writing, part: TextPart, role: Turn['role']): readonly JsonObject[] {
  const { text, refusal } = part;
  if (text === '' && !writing.own) return [];
  if (role !== 'assistant') return [writing.more({ type: 'input_text', text }, part)];
  if (refusal === true) return [writing.more({ type: 'refusal', refusal: text }, part)];
  return [writing.more({ type: 'output_text', text, annotations: [] }, part)];
}

function writeMedia(writing: Writing, one: Placed<Media>): readonly JsonObject[] {
  const { part } = one;
  const url = urlOf(part);
  if (part.kind === 'image') {
    if (url === undefined) return writing.misplaced(one);
    return [writing.more({ type: 'input_image', detail: 'auto', image_url: url }, part)];
  }
  const file_data = part.data === undefined ? undefined : (url ?? part.data);
  return [
    writing.more(given({ type: 'input_file', file_data, file_url: part.url, filename: part.name }), part),
  ];
}

/** A thought goes back only to the API that sent it: no other's signature is one of its encrypted contents. */
function writeThought(writing: Writing, part: ThoughtPart): JsonObject {
  const { text, signature: encrypted_content } = part;
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return writing.more(given({ type: 'reasoning', summary, encrypted_content }), part);
}

function writeCall(writing: Writing, { part }: Placed<CallPart>): JsonObject {
  const text = part.arguments === '' && !writing.own ? '{}' : part.arguments;
  const call = {
    type: 'function_call',
    call_id: writing.id(part.id),
    name: writing.name(part.name),
    arguments: text,
  };
  return writing.more(call, part);
}

/** Outputs have no names, and no mark for a failure. */
function writeResult(writing: Writing, one: Placed<ResultPart>): JsonObject {
  const { part, at } = one;
  writing.loseResultName(one);
  if (part.failed === true) writing.lose(`${at}.failed`);
  const output = textOrParts(placed(part.parts, at).flatMap((inner) => writePart(writing, inner, 'user')));
  return writing.more({ type: 'function_call_output', call_id: writing.id(part.id), output }, part);
}
