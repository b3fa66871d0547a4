/**
 * A request in the form in which it can be compared with the one that was written from it: without the members that `lost`
 * names, with the words that it says instead, and without the additions of gateway.md, part (f).
 */
import { expect } from 'vitest';
import { exactJsonOf, exactText } from '../../../kit/base/index.ts';
import type { FullRequest, GatewayDialect, Message, Part } from './request.ts';

/** What is compared: the members, and the parts in order with their roles. */
export interface Arrived {
  readonly members: Readonly<Record<string, unknown>>;
  readonly parts: readonly unknown[];
}

/** @param lost - the losses of writing the request to the dialect; none for a request that was read in it */
export function arrived(
  request: FullRequest,
  dialect: GatewayDialect,
  lost: readonly string[] = [],
): Arrived {
  const losses = new Map(
    lost.map((entry) => {
      const [path = '', instead] = entry.split(/: (.*)/s);
      return [path, instead] as const;
    }),
  );
  return { members: membersOf(request, dialect, losses), parts: partsOf(request.messages, dialect, losses) };
}

type Losses = ReadonlyMap<string, string | undefined>;

function membersOf(request: FullRequest, dialect: GatewayDialect, losses: Losses): Arrived['members'] {
  const { from: _from, unknown: _unknown, messages: _messages, includeUsage, ...rest } = request;
  const members: Record<string, unknown> = {
    ...rest,
    // Only Chat has the word, and only for a stream.
    ...(dialect === 'openai-chat' && request.stream && includeUsage !== undefined ? { includeUsage } : {}),
    tools: request.tools.map(({ more: _more, strict, ...tool }, i) => ({
      ...tool,
      // Absent is false: (29) and OpenAI's typings.
      strict: strict === true && !losses.has(`tools[${i}].strict`),
    })),
  };
  if (members['parallel'] === true) delete members['parallel'];
  if (members['choice'] === 'auto') delete members['choice'];
  if (request.format?.kind === 'schema') members['format'] = formatOf(request.format, losses);
  for (const [path, instead] of losses) if (path in members) replace(members, path, instead);
  // (26): a default where Anthropic requires a limit.
  if (dialect === 'anthropic' && request.limit === undefined) members['limit'] = expect.any(Number);
  return members;
}

/** A name that OpenAI requires may be added. */
function formatOf(
  { name, strict, ...format }: Extract<NonNullable<FullRequest['format']>, { kind: 'schema' }>,
  losses: Losses,
): unknown {
  return {
    ...format,
    name: losses.has('format.name') || name === 'answer' ? undefined : name,
    strict: losses.has('format.strict') ? undefined : strict,
  };
}

function replace(members: Record<string, unknown>, path: string, instead: string | undefined): void {
  const value = members[path];
  if (instead === undefined) delete members[path];
  else if (Array.isArray(value)) members[path] = value.slice(0, 4);
  else members[path] = path === 'effort' ? effortOf(instead) : Number(instead);
  if (path === 'tools') members['tools'] = [];
}

const effortOf = (word: string): unknown => (/^\d+$/.test(word) ? { budget: Number(word) } : word);

/** The parts in the order of the wire. */
function partsOf(messages: readonly Message[], dialect: GatewayDialect, losses: Losses): readonly unknown[] {
  let leading = true;
  return messages.flatMap((message, i) => {
    leading &&= message.role === 'system';
    const role = message.role === 'system' && !leading && dialect === 'anthropic' ? 'user' : message.role;
    const moved: Part[] = [];
    const parts = message.parts.flatMap((part, n) =>
      partOf(part, `messages[${i}].parts[${n}]`, dialect, losses, moved),
    );
    const results = parts.filter(({ kind }) => kind === 'result');
    const others = parts.filter(({ kind }) => kind !== 'result');
    return spoken([...results, ...moved, ...others], dialect).map((part) => ({ role, part }));
  });
}

/** Ollama has one text in a message, and then the images. */
function spoken(parts: readonly Part[], dialect: GatewayDialect): readonly Part[] {
  if (dialect !== 'ollama') return parts;
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const joined: readonly Part[] = texts.length === 0 ? [] : [{ kind: 'text', text: texts.join('\n') }];
  const of = (...kinds: readonly string[]): readonly Part[] =>
    parts.filter(({ kind }) => kinds.includes(kind));
  return [...of('result', 'thought', 'redacted'), ...joined, ...of('image', 'file'), ...of('call')];
}

function partOf(
  part: Part,
  at: string,
  dialect: GatewayDialect,
  losses: Losses,
  moved: Part[],
): readonly Part[] {
  const instead = losses.get(at);
  if (instead === 'in a message of the user') {
    moved.push(...partOf(part, '', dialect, losses, moved));
    return [];
  }
  const isTrimmed = instead === 'without white space at its end';
  if ((losses.has(at) && !isTrimmed) || part.kind === 'other') return [];
  const { more: _more, ...plain } = part;
  if (plain.kind === 'text') {
    const { refusal, ...said } = plain;
    const text = isTrimmed ? { ...said, text: said.text.trimEnd() } : said;
    return plain.text === '' ? [] : [losses.has(`${at}.refusal`) || refusal === undefined ? text : plain];
  }
  if (plain.kind === 'call') return [{ ...plain, arguments: argumentsOf(plain.arguments, losses, at) }];
  if (plain.kind !== 'result') return [plain];
  const { name: _name, failed, ...result } = plain;
  const parts = plain.parts.flatMap((inner, i) => partOf(inner, `${at}.parts[${i}]`, dialect, losses, moved));
  return [
    {
      ...result,
      parts: spoken(parts, dialect),
      ...(failed && !losses.has(`${at}.failed`) ? { failed } : {}),
    },
  ];
}

/** Arguments as the compact text of their value, or of the value that was written instead. */
function argumentsOf(text: string, losses: Losses, at: string): string {
  const instead = losses.get(`${at}.arguments`);
  if (text === '' || instead === '{}') return '{}';
  const value = exactText(exactJsonOf(text));
  return instead === undefined
    ? value
    : value.replaceAll(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '\uFFFD');
}
