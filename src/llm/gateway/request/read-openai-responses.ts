/** Reads a body of `POST /v1/responses`. Shapes: openai 7.59.0, ResponseCreateParams. */
import type { Json } from '../../../kit/base/index.ts';
import { given, Members } from './members.ts';
import { readChoice, readEffort, readTools } from './openai.ts';
import { readItems } from './read-items.ts';
import type { Format, FullRequest, Message } from './request.ts';

export function readOpenaiResponses(body: Json): FullRequest {
  const members = new Members(body);
  return given({
    from: 'openai-responses' as const,
    model: members.text('model') ?? '',
    messages: [...readInstructions(members), ...readInput(members)],
    tools: readTools(members, 'flat'),
    choice: readChoice(members, 'flat'),
    parallel: members.flag('parallel_tool_calls'),
    limit: members.number('max_output_tokens'),
    temperature: members.number('temperature'),
    topP: members.number('top_p'),
    format: readFormat(members.members('text').members('format')),
    effort: readEffort(members.members('reasoning'), 'effort'),
    user: members.text('user') ?? members.text('safety_identifier'),
    stream: members.flag('stream') ?? false,
    previous: members.text('previous_response_id'),
    store: members.flag('store'),
    unknown: members.rest(),
  });
}

function readInstructions(members: Members): readonly Message[] {
  const text = members.text('instructions') ?? '';
  return text === '' ? [] : [{ role: 'system', parts: [{ kind: 'text', text }] }];
}

/** The input is a text of the user, or a list of items. */
function readInput(members: Members): readonly Message[] {
  const text = members.text('input');
  if (text === undefined) return readItems(members.list('input') ?? []);
  return [{ role: 'user', parts: text === '' ? [] : [{ kind: 'text', text }] }];
}

function readFormat(format: Members): Format | undefined {
  if (format.word('type', ['json_object'])) return { kind: 'json' };
  if (format.peek('type') !== 'json_schema') return undefined;
  const schema = format.object('schema');
  if (schema === undefined) return undefined;
  format.text('type');
  return given({ kind: 'schema' as const, name: format.text('name'), schema, strict: format.flag('strict') });
}
