/** An event in few words, for its line in a diagram. It knows no protocol: names are the keys of the data. */
import { exactText } from '../../base/index.ts';
import type { Json, JsonObject } from '../../base/index.ts';

const isPlain = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The words of an event: its name, and what it carries. */
export interface EventWords {
  readonly name: string;
  readonly rest: string;
}

const shown = 160;
const cut = (text: string): string => (text.length <= shown ? text : `${text.slice(0, shown)}…`);

/** Keys of ids: they are long. */
const isIdKey = (key: string): boolean => /(?:^id|[_-]id|[a-z]I[dD])$/u.test(key);

/** Keys whose values are alike in many lines: ids, and names of what is the same in a whole stream. */
const isAlike = (key: string): boolean =>
  isIdKey(key) || /(?:^object|^created|^model|fingerprint)$/u.test(key);

function alikeLast(value: JsonObject): readonly string[] {
  const keys = Object.keys(value);
  return [...keys.filter((key) => !isAlike(key)), ...keys.filter(isAlike)];
}

/** The members of an object, as many as are shown. */
function members(value: JsonObject): string {
  let text = '';
  for (const key of alikeLast(value)) {
    if (text.length > shown) break;
    text += `${text === '' ? '' : ', '}${key} ${exactText(value[key])}`;
  }
  return text;
}

/** Keys whose text names a message. */
const nameKeys = ['type', 'event', 'op', 'method', 'cmd'] as const;

/**
 * A message is named by its `type`, `op` or `method`, where a text says so; otherwise by its only key, and by the only
 * key below it that is no id.
 */
function messageWords(data: JsonObject): EventWords {
  for (const key of nameKeys) {
    const name = data[key];
    if (typeof name !== 'string') continue;
    const { [key]: _, ...rest } = data;
    return { name, rest: members(unwrapped(name, rest)) };
  }
  const [first = '', ...others] = Object.keys(data);
  const inner = data[first];
  if (others.length > 0 || !isPlain(inner)) return { name: '', rest: members(data) };
  const told = Object.keys(inner).filter((key) => !isIdKey(key));
  const [below = ''] = told;
  const value = inner[below];
  if (told.length !== 1 || value === undefined) return { name: first, rest: members(inner) };
  return { name: `${first} · ${below}`, rest: isPlain(value) ? members(value) : exactText(value) };
}

/** The members inside the only member of a message, where that repeats the name, as the data of an event does. */
function unwrapped(name: string, rest: JsonObject): JsonObject {
  const [inner, ...others] = Object.values(rest);
  if (others.length > 0 || !isPlain(inner) || !Object.values(inner).includes(name)) return rest;
  return Object.fromEntries(Object.entries(inner).filter(([, value]) => value !== name));
}

/** An HTTP request by its method and path, an answer by its status; undefined: it is neither. */
function httpWords(data: JsonObject): EventWords | undefined {
  const { ':method': method, ':path': path, ':status': status, ':carrier': _, ...fields } = data;
  if (typeof method === 'string' && typeof path === 'string')
    return { name: `${method} ${path}`, rest: members(fields) };
  if (typeof status !== 'string' && typeof status !== 'number') return undefined;
  const { 'content-type': type, ...rest } = fields;
  const typed = typeof type === 'string' ? type : '';
  return { name: String(status), rest: [typed, members(rest)].filter(Boolean).join(', ') };
}

/** What a mark of the kit says. */
function markWords(data: JsonObject): EventWords {
  const { scenario, begin, outcome, reason, end } = data;
  if (typeof scenario === 'string') {
    const name = `Scenario ${scenario}`;
    if (begin === true) return { name, rest: 'begins' };
    const how = outcome === 'ended-early' ? 'ended early' : typeof outcome === 'string' ? outcome : '';
    return { name, rest: typeof reason === 'string' ? `${how}: ${reason}` : how };
  }
  const { run } = data;
  if (isPlain(run) && typeof run['drive'] === 'string')
    return { name: 'The run begins', rest: `${run['drive']} drive` };
  if (end === true) return { name: 'The trace ends', rest: '' };
  const { told, peer, detail } = data;
  if (typeof told === 'string' && typeof peer === 'string')
    return { name: `${peer} ${told}`, rest: isPlain(detail) ? members(detail) : '' };
  const { busy } = data;
  if (typeof busy === 'number') return { name: 'The machine was busy', rest: `for ${busy} ms` };
  return { name: 'Kit', rest: members(data) };
}

/**
 * The words of an event.
 *
 * @param data - the data; a text when it was cut
 * @example
 * eventWords('message', { response: { request_id: 'r1', done: { full_response: 'Hi' } } }, undefined); // { name: 'response · done', rest: 'full_response "Hi"' }
 */
export function eventWords(kind: string, data: Json | undefined, note: string | undefined): EventWords {
  const { name, rest } =
    data === undefined
      ? { name: '', rest: '' }
      : !isPlain(data)
        ? { name: '', rest: typeof data === 'string' ? data : exactText(data) }
        : kind === 'mark'
          ? markWords(data)
          : ((kind === 'message' ? undefined : httpWords(data)) ?? messageWords(data));
  const named =
    kind === 'message' || kind === 'mark' ? name : [kind.replace('_', ' '), name].filter(Boolean).join(' · ');
  const said = [rest, note ?? ''].filter(Boolean).join(' · ');
  return { name: named === '' && said === '' ? kind : named, rest: cut(said) };
}
