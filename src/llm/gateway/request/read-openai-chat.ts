/** Reads a body of `POST /v1/chat/completions`. Shapes: openai 7.59.0, ChatCompletionCreateParams. */
import { exactText, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { mediaAt } from './media.ts';
import { given, Members } from './members.ts';
import { readChoice, readEffort, readTools } from './openai.ts';
import { withResultsJoined } from './results.ts';
import type { CallPart, Format, FullRequest, Message, Part, ResultPart } from './request.ts';

export function readOpenaiChat(body: Json): FullRequest {
  const members = new Members(body);
  return given({
    from: 'openai-chat' as const,
    model: members.text('model') ?? '',
    messages: readMessages(members.list('messages') ?? []),
    tools: readTools(members, 'wrapped'),
    choice: readChoice(members, 'wrapped'),
    parallel: members.flag('parallel_tool_calls'),
    limit: members.number('max_completion_tokens') ?? members.number('max_tokens'),
    temperature: members.number('temperature'),
    topP: members.number('top_p'),
    stop: readStop(members),
    format: readFormat(members.members('response_format')),
    effort: readEffort(members, 'reasoning_effort'),
    user: members.text('user') ?? members.text('safety_identifier'),
    stream: members.flag('stream') ?? false,
    includeUsage: members.members('stream_options').flag('include_usage'),
    unknown: members.rest(),
  });
}

function readStop(members: Members): readonly string[] | undefined {
  const one = members.text('stop');
  return one === undefined ? members.texts('stop') : [one];
}

function readFormat(format: Members): Format | undefined {
  if (format.word('type', ['json_object'])) return { kind: 'json' };
  if (format.peek('type') !== 'json_schema') return undefined;
  const made = format.members('json_schema');
  const schema = made.object('schema');
  if (schema === undefined) return undefined;
  format.text('type');
  return given({ kind: 'schema' as const, name: made.text('name'), schema, strict: made.flag('strict') });
}

const readMessages = (list: readonly Json[]): readonly Message[] =>
  withResultsJoined(
    list.map((value) => {
      const result = readResult(new Members(value));
      if (result !== undefined) return { role: 'user', parts: [result] };
      return (
        readMessage(new Members(value)) ?? {
          role: 'user',
          parts: [{ kind: 'other', value, place: 'message' }],
        }
      );
    }),
  );

function readResult(message: Members): ResultPart | undefined {
  if (message.text('role') !== 'tool') return undefined;
  const id = message.text('tool_call_id');
  if (id === undefined) return undefined;
  const parts = readContent(message);
  return given({ kind: 'result' as const, id, name: message.text('name'), parts, ...message.more() });
}

/** The role of a developer is kept beside: it is the system's. */
function readMessage(message: Members): Message | undefined {
  const role = message.word('role', ['system', 'user', 'assistant']);
  if (role === 'assistant') return readAssistant(message);
  if (role === undefined && message.peek('role') !== 'developer') return undefined;
  return { role: role ?? 'system', parts: readContent(message), ...message.more() };
}

/** Thoughts are in members that compatible servers have; `reasoning_content` is the first of them. */
function readAssistant(message: Members): Message {
  const thought = message.text('reasoning_content') ?? message.text('reasoning') ?? '';
  const content = readContent(message);
  const refusal = message.text('refusal') ?? '';
  const parts: readonly Part[] = [
    ...(thought === '' ? [] : [{ kind: 'thought' as const, text: thought }]),
    ...content,
    ...(refusal === '' ? [] : [{ kind: 'text' as const, text: refusal, refusal: true as const }]),
    ...(message.list('tool_calls') ?? []).map(
      (value) => readCall(new Members(value)) ?? { kind: 'other' as const, value, place: 'call' as const },
    ),
  ];
  return { role: 'assistant', parts, ...message.more() };
}

/** Arguments are text; some clients send an object. */
function readCall(call: Members): CallPart | undefined {
  const made = call.members('function');
  const [id, name] = [call.text('id'), made.text('name')];
  if ((call.text('type') ?? 'function') !== 'function' || id === undefined || name === undefined)
    return undefined;
  const text = made.text('arguments');
  const value = text === undefined ? made.value('arguments') : undefined;
  const written = value === undefined ? '' : exactText(value);
  return { kind: 'call', id, name, arguments: text ?? written, ...call.more() };
}

/** A content is a text or a list of parts. An empty text is no part. */
function readContent(message: Members): readonly Part[] {
  const text = message.text('content');
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }];
  return (message.list('content') ?? []).map(readPart);
}

/** A part that lacks what its type needs stays as it came. */
const readPart = (value: Json): Part => knownPart(new Members(value)) ?? { kind: 'other', value };

function knownPart(part: Members): Part | undefined {
  const type = part.text('type');
  if (type === 'text' || type === 'refusal') {
    const text = part.text(type);
    const refusal = type === 'refusal' ? { refusal: true as const } : {};
    return text === undefined ? undefined : { kind: 'text', text, ...refusal, ...part.more() };
  }
  if (type === 'image_url') return readImage(part);
  return type === 'file' ? readFile(part.members('file'), part) : undefined;
}

/** Some clients send the URL without an object around it. */
function readImage(part: Members): Part | undefined {
  const inner = part.peek('image_url');
  const url = isObject(inner) ? part.members('image_url').text('url') : part.text('image_url');
  return url === undefined ? undefined : { kind: 'image', ...mediaAt(url), ...part.more() };
}

/** The bytes are a `data:` URL, or base64 alone. */
function readFile(file: Members, part: Members): Part | undefined {
  const data = file.text('file_data');
  if (data === undefined) return undefined;
  const at = data.startsWith('data:') ? mediaAt(data) : { data };
  return given({ kind: 'file' as const, ...at, name: file.text('filename'), ...part.more() });
}
