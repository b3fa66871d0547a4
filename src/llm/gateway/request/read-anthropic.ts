/** Reads a body of `POST /v1/messages`. Shapes: @anthropic-ai/sdk 1.14.0, MessageCreateParams. */
import { exactText } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { anthropicEfforts } from './effort.ts';
import { bytesOfText } from './media.ts';
import { given, Members } from './members.ts';
import type { Choice, Effort, Format, FullRequest, Media, Message, Part, Tool } from './request.ts';

export function readAnthropic(body: Json): FullRequest {
  const members = new Members(body);
  const config = members.members('output_config');
  return given({
    from: 'anthropic' as const,
    model: members.text('model') ?? '',
    messages: [...readSystem(members), ...(members.list('messages') ?? []).map(readMessage)],
    tools: readTools(members),
    choice: readChoice(members.members('tool_choice')),
    parallel: readParallel(members.members('tool_choice')),
    limit: members.number('max_tokens'),
    temperature: members.number('temperature'),
    topP: members.number('top_p'),
    topK: members.number('top_k'),
    stop: members.texts('stop_sequences'),
    format: readFormat(config.members('format')),
    effort: readEffort(members.members('thinking'), config),
    user: members.members('metadata').text('user_id'),
    stream: members.flag('stream') ?? false,
    unknown: members.rest(),
  });
}

function readSystem(members: Members): readonly Message[] {
  const parts = readContent(members, 'system');
  return parts.length === 0 ? [] : [{ role: 'system', parts }];
}

function readMessage(value: Json): Message {
  const members = new Members(value);
  const role = members.word('role', ['user', 'assistant', 'system']);
  if (role === undefined) return { role: 'user', parts: [{ kind: 'other', value, place: 'message' }] };
  return { role, parts: readContent(members, 'content'), ...members.more() };
}

/** A content is a text or a list of blocks. An empty text is no part. */
function readContent(members: Members, key: string): readonly Part[] {
  const text = members.text(key);
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }];
  return (members.list(key) ?? []).map(readBlock);
}

/** A block that lacks what its type needs stays as it came. */
const readBlock = (value: Json): Part => knownBlock(new Members(value)) ?? { kind: 'other', value };

function knownBlock(block: Members): Part | undefined {
  const type = block.text('type');
  if (type === 'text') return readText(block);
  if (type === 'image' || type === 'document') return readMedia(block, type);
  if (type === 'thinking') return readThought(block);
  if (type === 'redacted_thinking') return readRedacted(block);
  if (type === 'tool_use') return readCall(block);
  return type === 'tool_result' ? readResult(block) : undefined;
}

function readText(block: Members): Part | undefined {
  const text = block.text('text');
  return text === undefined ? undefined : { kind: 'text', text, ...block.more() };
}

function readMedia(block: Members, type: 'image' | 'document'): Media | undefined {
  const at = readSource(block.members('source'));
  if (at === undefined) return undefined;
  const name = type === 'document' ? block.text('title') : undefined;
  return given({
    kind: type === 'image' ? ('image' as const) : ('file' as const),
    ...at,
    name,
    ...block.more(),
  });
}

/** Bytes, a place, or plain text. A file of Anthropic's own (`file_id`) and blocks inside have no neutral word. */
function readSource(source: Members): Pick<Media, 'mime' | 'data' | 'url'> | undefined {
  const type = source.text('type');
  if (type === 'url') {
    const url = source.text('url');
    return url === undefined ? undefined : { url };
  }
  const [data, mime] = [source.text('data'), source.text('media_type')];
  if (data === undefined || (type !== 'base64' && type !== 'text')) return undefined;
  if (type === 'base64') return given({ mime, data });
  // Half a surrogate pair has no bytes.
  return data.isWellFormed() ? { mime: mime ?? 'text/plain', data: bytesOfText(data) } : undefined;
}

function readThought(block: Members): Part | undefined {
  const text = block.text('thinking');
  if (text === undefined) return undefined;
  return given({ kind: 'thought' as const, text, signature: block.text('signature'), ...block.more() });
}

function readRedacted(block: Members): Part | undefined {
  const data = block.text('data');
  return data === undefined ? undefined : { kind: 'redacted', data, ...block.more() };
}

function readCall(block: Members): Part | undefined {
  const [id, name, input] = [block.text('id'), block.text('name'), block.value('input')];
  if (id === undefined || name === undefined) return undefined;
  return { kind: 'call', id, name, arguments: input === undefined ? '' : exactText(input), ...block.more() };
}

function readResult(block: Members): Part | undefined {
  const id = block.text('tool_use_id');
  if (id === undefined) return undefined;
  const parts = readContent(block, 'content');
  const failed = block.flag('is_error') === true ? { failed: true as const } : {};
  return { kind: 'result', id, parts, ...failed, ...block.more() };
}

/** Tools that Anthropic runs itself have a type of their own, and stay as they came. */
function readTools(members: Members): readonly Tool[] {
  const list = members.list('tools') ?? [];
  const read = list.map((value) => ({ value, tool: readTool(new Members(value)) }));
  const others = read.filter(({ tool }) => tool === undefined).map(({ value }) => value);
  if (others.length > 0) members.leave('tools', others);
  return read.flatMap(({ tool }) => tool ?? []);
}

function readTool(tool: Members): Tool | undefined {
  const type = tool.text('type') ?? 'custom';
  const name = tool.text('name');
  if (type !== 'custom' || name === undefined) return undefined;
  return given({
    name,
    description: tool.text('description'),
    schema: tool.object('input_schema') ?? {},
    strict: tool.flag('strict'),
    ...tool.more(),
  });
}

const choiceOf = { auto: 'auto', any: 'must', none: 'none' } as const;

function readChoice(choice: Members): Choice | undefined {
  const name = choice.peek('type') === 'tool' ? choice.text('name') : undefined;
  if (name !== undefined) {
    choice.text('type');
    return { name };
  }
  const type = choice.word('type', ['auto', 'any', 'none']);
  return type === undefined ? undefined : choiceOf[type];
}

function readParallel(choice: Members): boolean | undefined {
  const disabled = choice.flag('disable_parallel_tool_use');
  return disabled === undefined ? undefined : !disabled;
}

function readFormat(format: Members): Format | undefined {
  if (format.peek('type') !== 'json_schema') return undefined;
  const schema = format.object('schema');
  if (schema === undefined) return undefined;
  format.text('type');
  return { kind: 'schema', schema };
}

/**
 * The one effort of `thinking` and `output_config.effort`. No thinking and a budget win; the other member is then left as it
 * came. A level wins over `adaptive`, which says no amount.
 */
function readEffort(thinking: Members, config: Members): Effort | undefined {
  if (thinking.word('type', ['disabled'])) return 'off';
  const budget = thinking.peek('type') === 'enabled' ? thinking.number('budget_tokens') : undefined;
  if (budget !== undefined) {
    thinking.text('type');
    return { budget };
  }
  return config.word('effort', anthropicEfforts) ?? thinking.word('type', ['adaptive']);
}
