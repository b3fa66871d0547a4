/**
 * Reads the input items of Responses. The assistant's thoughts, texts and calls are items; those in a row are one message,
 * which has the content of one message item at most. Outputs of calls in a row are results of one message of the user, with
 * the user's words that follow.
 */
import { exactText, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { mediaAt } from './media.ts';
import { given, Members } from './members.ts';
import { withResultsJoined } from './results.ts';
import type { Message, Part } from './request.ts';

export function readItems(list: readonly Json[]): readonly Message[] {
  const items = new ItemReader();
  for (const value of list) items.add(value);
  return items.end();
}

class ItemReader {
  readonly #messages: Message[] = [];
  /** The parts of the message that is being read: the assistant's, or the user's results. */
  #parts: Part[] = [];
  #role: 'user' | 'assistant' = 'user';
  #more: JsonObject | undefined;
  /** Whether it has the content of a message item. */
  #spoken = false;

  add(value: Json): void {
    const item = new Members(value);
    const type = item.text('type') ?? 'message';
    const message = type === 'message' ? readMessage(item) : undefined;
    if (message !== undefined) return this.#message(message);
    const part = readItem(type, item);
    if (part === undefined) return this.#append(sideOf(type), { kind: 'other', value, place: 'message' });
    const begins =
      part.kind === 'thought' && (this.#spoken || this.#parts.some(({ kind }) => kind === 'call'));
    if (begins) this.#close();
    this.#append(part.kind === 'result' ? 'user' : 'assistant', part);
  }

  end(): readonly Message[] {
    this.#close();
    return withResultsJoined(this.#messages);
  }

  #message({ role, parts, more }: Message): void {
    if (role === 'assistant') {
      if (this.#spoken) this.#close();
      this.#append(role, ...parts);
      this.#more = more;
      this.#spoken = true;
      return;
    }
    this.#close();
    this.#messages.push(given({ role, parts, more }));
  }

  #append(role: 'user' | 'assistant', ...parts: readonly Part[]): void {
    if (role !== this.#role) this.#close();
    this.#role = role;
    this.#parts.push(...parts);
  }

  /** Ends the message that is being read. */
  #close(): void {
    if (this.#parts.length > 0 || this.#spoken)
      this.#messages.push(given({ role: this.#role, parts: this.#parts, more: this.#more }));
    this.#parts = [];
    this.#more = undefined;
    this.#spoken = false;
  }
}

/** Whose an item is that has no neutral word: outputs come from the client. */
const sideOf = (type: string): 'user' | 'assistant' =>
  type === 'message' || /_(?:output|response)$/.test(type) ? 'user' : 'assistant';

/** The role of a developer is kept beside: it is the system's. */
function readMessage(item: Members): Message | undefined {
  const role = item.word('role', ['system', 'user', 'assistant']);
  if (role === undefined && item.peek('role') !== 'developer') return undefined;
  return { role: role ?? 'system', parts: readContent(item, 'content'), ...item.more() };
}

function readItem(type: string, item: Members): Part | undefined {
  if (type === 'function_call') return readCall(item);
  if (type === 'function_call_output') return readOutput(item);
  return type === 'reasoning' ? readThought(item) : undefined;
}

/** Arguments are text; some clients send an object. */
function readCall(item: Members): Part | undefined {
  const [id, name, text] = [item.text('call_id'), item.text('name'), item.text('arguments')];
  if (id === undefined || name === undefined) return undefined;
  const value = text === undefined ? item.value('arguments') : undefined;
  const written = value === undefined ? '' : exactText(value);
  return { kind: 'call', id, name, arguments: text ?? written, ...item.more() };
}

function readOutput(item: Members): Part | undefined {
  const id = item.text('call_id');
  return id === undefined
    ? undefined
    : { kind: 'result', id, parts: readContent(item, 'output'), ...item.more() };
}

/** A thought. Its signature is the encrypted content; parts that one text does not say are kept beside. */
function readThought(item: Members): Part {
  const [summary, content] = [item.list('summary') ?? [], item.list('content') ?? []];
  const text = [...summary, ...content].map(textIn).join('');
  if (content.length > 0 || summary.length > 1 || (text === '' && summary.length > 0)) {
    item.leave('summary', summary);
    if (content.length > 0) item.leave('content', content);
  }
  return given({ kind: 'thought' as const, text, signature: item.text('encrypted_content'), ...item.more() });
}

const textIn = (value: Json): string => new Members(value).text('text') ?? '';

/** A content is a text or a list of parts. An empty text is no part. */
function readContent(item: Members, key: string): readonly Part[] {
  const text = item.text(key);
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }];
  return (item.list(key) ?? []).map(readPart);
}

/** A part that lacks what its type needs stays as it came. */
const readPart = (value: Json): Part => knownPart(new Members(value)) ?? { kind: 'other', value };

const textTypes: readonly string[] = ['input_text', 'output_text', 'text'];

function knownPart(part: Members): Part | undefined {
  const type = part.text('type') ?? '';
  if (textTypes.includes(type) || type === 'refusal') {
    const text = part.text(type === 'refusal' ? type : 'text');
    const refusal = type === 'refusal' ? { refusal: true as const } : {};
    const annotations = part.list('annotations') ?? [];
    if (annotations.length > 0) part.leave('annotations', annotations);
    return text === undefined ? undefined : { kind: 'text', text, ...refusal, ...part.more() };
  }
  if (type === 'input_image') return readImage(part);
  return type === 'input_file' ? readFile(part) : undefined;
}

/** Some clients send Chat's form, with an object around the URL. */
function readImage(part: Members): Part | undefined {
  const inner = part.peek('image_url');
  const url = isObject(inner) ? part.members('image_url').text('url') : part.text('image_url');
  // The default.
  part.word('detail', ['auto']);
  return url === undefined ? undefined : { kind: 'image', ...mediaAt(url), ...part.more() };
}

/** The bytes are a `data:` URL, or base64 alone. */
function readFile(part: Members): Part | undefined {
  const [data, url] = [part.text('file_data'), part.text('file_url')];
  const name = part.text('filename');
  if (data === undefined && url === undefined) return undefined;
  const at = data === undefined ? { url } : data.startsWith('data:') ? mediaAt(data) : { data };
  return given({ kind: 'file' as const, ...at, name, ...part.more() });
}
