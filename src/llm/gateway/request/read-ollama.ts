/** Reads a body of `POST /api/chat`. Shapes: ollama 0.6.4, ChatRequest, with the ids that newer servers have. */
import { exactText } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { imageMime } from './media.ts';
import { given, Members } from './members.ts';
import { withResultsJoined } from './results.ts';
import { readTools } from './openai.ts';
import type {
  CallPart,
  Effort,
  Format,
  FullRequest,
  Message,
  OtherPart,
  Part,
  ResultPart,
} from './request.ts';

export function readOllama(body: Json): FullRequest {
  const members = new Members(body);
  const options = members.members('options');
  return given({
    from: 'ollama' as const,
    model: members.text('model') ?? '',
    messages: readMessages(members.list('messages') ?? []),
    tools: readTools(members, 'wrapped'),
    limit: readLimit(options),
    temperature: options.number('temperature'),
    topP: options.number('top_p'),
    topK: options.number('top_k'),
    stop: options.texts('stop'),
    format: readFormat(members),
    effort: readEffort(members),
    // "`stream` defaults true on the wire".
    stream: members.flag('stream') ?? true,
    unknown: members.rest(),
  });
}

/** A number of 0 and below is no limit. */
function readLimit(options: Members): number | undefined {
  const limit = options.number('num_predict');
  if (limit === undefined || limit > 0) return limit;
  options.leave('num_predict', limit);
  return undefined;
}

function readFormat(members: Members): Format | undefined {
  if (members.word('format', ['json'])) return { kind: 'json' };
  const schema = members.object('format');
  return schema === undefined ? undefined : { kind: 'schema', schema };
}

function readEffort(members: Members): Effort | undefined {
  const thinks = members.flag('think');
  if (thinks !== undefined) return thinks ? 'adaptive' : 'off';
  return members.word('think', ['low', 'medium', 'high']);
}

function readMessages(list: readonly Json[]): readonly Message[] {
  const ids = new CallIds(list);
  return withResultsJoined(list.map((value, i) => readMessage(value, i, ids)));
}

/** The server lowers the case of roles. */
function readMessage(value: Json, i: number, ids: CallIds): Message {
  const members = new Members(value);
  const role = members.text('role')?.toLowerCase();
  if (role === 'tool') return { role: 'user', parts: [readResult(members, ids)] };
  if (role === 'assistant') return readAssistant(members, i, ids);
  if (role === 'system' || role === 'user') return { role, parts: readSpoken(members), ...members.more() };
  return { role: 'user', parts: [{ kind: 'other', value, place: 'message' }] };
}

/** The ids of calls. A call without one gets an id of its place; a result without one answers the first call that it fits. */
class CallIds {
  readonly #given: ReadonlySet<string>;
  #waiting: CallPart[] = [];

  constructor(list: readonly Json[]) {
    const calls = list.flatMap((value) => new Members(value).list('tool_calls') ?? []);
    this.#given = new Set(calls.flatMap((value) => new Members(value).text('id') ?? []));
  }

  /** The id of the call at this place. */
  at(message: number, call: number): string {
    let id = `call_${message}_${call}`;
    while (this.#given.has(id)) id += '_';
    return id;
  }

  /** The calls of a message begin to wait for their results. */
  wait(calls: readonly CallPart[]): void {
    this.#waiting = [...calls];
  }

  /** The id of the call that a result answers. */
  answered(id: string | undefined, name: string | undefined): string {
    const at = this.#waiting.findIndex((call) =>
      id === undefined ? name === undefined || call.name === name : call.id === id,
    );
    const [call] = at < 0 ? [] : this.#waiting.splice(at, 1);
    return id ?? call?.id ?? '';
  }
}

function readResult(message: Members, ids: CallIds): ResultPart {
  const name = message.text('tool_name');
  const id = ids.answered(message.text('tool_call_id') || undefined, name);
  return given({ kind: 'result' as const, id, name, parts: readSpoken(message), ...message.more() });
}

function readAssistant(message: Members, i: number, ids: CallIds): Message {
  const thought = message.text('thinking') ?? '';
  const calls = (message.list('tool_calls') ?? []).map((value, n): CallPart | OtherPart => {
    const call = readCall(new Members(value), ids.at(i, n));
    return call ?? { kind: 'other', value, place: 'call' };
  });
  ids.wait(calls.filter((call) => call.kind === 'call'));
  const parts: readonly Part[] = [
    ...(thought === '' ? [] : [{ kind: 'thought' as const, text: thought }]),
    ...readSpoken(message),
    ...calls,
  ];
  return { role: 'assistant', parts, ...message.more() };
}

/** Arguments are an object; some clients send its text. */
function readCall(call: Members, minted: string): CallPart | undefined {
  const made = call.members('function');
  const [id, name] = [call.text('id') ?? '', made.text('name')];
  if (name === undefined) return undefined;
  const text = made.text('arguments');
  const value = text === undefined ? made.value('arguments') : undefined;
  const written = value === undefined ? '' : exactText(value);
  return { kind: 'call', id: id === '' ? minted : id, name, arguments: text ?? written, ...call.more() };
}

/** The text of a message, then its images, whose mime types their bytes say. */
function readSpoken(message: Members): readonly Part[] {
  const text = message.text('content') ?? '';
  const images = (message.texts('images') ?? []).map((data): Part => {
    const mime = imageMime(data);
    return given({ kind: 'image' as const, mime, data });
  });
  return text === '' ? images : [{ kind: 'text', text }, ...images];
}
