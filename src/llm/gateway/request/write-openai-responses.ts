/** Writes a body of `POST /v1/responses`. Shapes: openai 7.59.0, ResponseCreateParams. */
import type { JsonObject } from '../../../kit/base/index.ts';
import { given } from './members.ts';
import { writeChoice, writeEffort, writeTools } from './openai.ts';
import type { FullRequest, WrittenRequest } from './request.ts';
import { turnsOf } from './turns.ts';
import type { Turn } from './turns.ts';
import { writeItems } from './write-items.ts';
import { defaultFormatName, Writing } from './writing.ts';

export function writeOpenaiResponses(request: FullRequest): WrittenRequest {
  const writing = new Writing('openai-responses', request);
  const turns = turnsOf(request);
  const instructions = instructionsIn(writing, turns);
  const effort = writeEffort(writing);
  const format = writeFormat(request);
  writing.loseGiven('topK', 'stop');
  return writing.end(
    '/v1/responses',
    given({
      model: request.model,
      instructions,
      input: turns.slice(instructions === undefined ? 0 : 1).flatMap((turn) => writeItems(writing, turn)),
      tools: writeTools(writing, 'flat'),
      ...writeChoice(writing, 'flat'),
      max_output_tokens: request.limit,
      temperature: writing.within('temperature', 0, 2),
      top_p: writing.within('topP', 0, 1),
      text: format === undefined ? undefined : { format },
      reasoning: effort === undefined ? undefined : { effort },
      user: request.user,
      stream: request.stream,
      previous_response_id: request.previous,
      store: request.store,
    }),
  );
}

/** A first system message that is one text without further members. Other system messages are items. */
function instructionsIn(writing: Writing, [first]: readonly Turn[]): string | undefined {
  const [one, second] = first?.parts ?? [];
  if (first?.role !== 'system' || one?.part.kind !== 'text' || second !== undefined) return undefined;
  const { text, more = first.more } = one.part;
  const isPlain = !writing.own || (more === undefined && !('instructions' in writing.request.unknown));
  return isPlain && text !== '' ? text : undefined;
}

function writeFormat({ format }: FullRequest): JsonObject | undefined {
  if (format === undefined) return undefined;
  if (format.kind === 'json') return { type: 'json_object' };
  const { name = defaultFormatName, schema, strict } = format;
  return given({ type: 'json_schema', name, schema, strict });
}
