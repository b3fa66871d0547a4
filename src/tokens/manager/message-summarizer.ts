/** Makes one message of many, by a template (TOK-35). From an earlier summary it keeps the request. */
import { exactText, isObject } from '../../kit/base/index.ts';
import type { ProviderMessage, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import { isBlank, truncateText, wellFormed } from './text.ts';

/** The headings of a summary (TOK-35). */
export const summaryHeadings = [
  'Request',
  'Status',
  'Technical context',
  'Changes',
  'Issues',
  'State',
  'Working context',
] as const;

const opening = '[Summary of the conversation so far]';
const closing = '[End of the summary]';
const nothing = 'none';

/** The maximum UTF-16 units of a quotation, and of one in a list; the maximum entries of a list. */
const maxQuote = 600;
const maxListQuote = 120;
const maxEntries = 8;

/** Summarizes by a template, without a model. The same messages give the same summary, and its size is bounded. */
export class MessageSummarizer {
  /**
   * One message of the user that replaces these: the request, the last answer, the calls, the failures, the counts, and
   * the newest request and result.
   *
   * @example
   * const messages = [
   *   { role: 'user', content: 'Fix the build.' },
   *   { role: 'assistant', content: 'It lacked a type.' },
   * ] as const;
   * const { content } = new MessageSummarizer().summarizeMessages(messages);
   * content.includes('Request: Fix the build.\n\nStatus: It lacked a type.'); // true
   */
  summarizeMessages(messages: readonly ProviderMessage[]): ProviderMessage {
    const sections = sectionsOf(messages);
    const lines = summaryHeadings.map((heading, i) => `${heading}: ${sections[i] ?? nothing}`);
    return { role: 'user', content: wellFormed(asSummary(lines.join('\n\n'))) };
  }
}

/** Marks a text as a summary, so that a later summary can recognize it. */
export const asSummary = (text: string): string =>
  text.startsWith(`${opening}\n\n`) ? text : [opening, text.trim(), closing].join('\n\n');

/** The text under each heading, in their order. */
function sectionsOf(messages: readonly ProviderMessage[]): readonly string[] {
  const asked = messages.filter(({ role }) => role === 'user').flatMap(({ content }) => piecesOf(content));
  const earlier = asked.findLast(({ isSummary }) => isSummary)?.text;
  const requests = asked.filter(({ isSummary }) => !isSummary).map(({ text }) => text);
  const said = messages.filter(({ role, content }) => role === 'assistant' && !isBlank(content));
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const results = messages.flatMap(({ toolResults = [] }) => toolResults);
  const failed = results.filter(({ isError }) => isError);
  return [
    quote(sectionIn(earlier, 'Request') ?? requests[0]),
    quote(said.at(-1)?.content ?? sectionIn(earlier, 'Status')),
    toolCounts(calls),
    list(calls.slice(-maxEntries).map(callLine)),
    list(failed.slice(-maxEntries).map(({ content }) => quote(content, maxListQuote))),
    `messages: ${messages.length}, calls: ${calls.length}, failed: ${failed.length}`,
    workingContext(requests.at(-1), results.at(-1)),
  ];
}

/** A text on one line, because an empty line ends a section; and without the mark that ends a summary. */
const quote = (text: string | undefined, max = maxQuote): string => {
  const line = truncateText(text ?? '', 4 * max)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(closing, '')
    .trim();
  return line === '' ? nothing : truncateText(line, max);
};

const list = (entries: readonly string[]): string => (entries.length === 0 ? nothing : entries.join('; '));

const callLine = ({ name, input }: ToolCall): string =>
  `${quote(name, maxListQuote)} ${argumentsLine(input)}`;

/** The first arguments of a call, without nested values, to tell the calls apart. */
function argumentsLine(input: ToolCall['input']): string {
  if (!isObject(input)) return '';
  const shown = Object.entries(input)
    .slice(0, 4)
    .map(([key, value]) => {
      if (typeof value === 'object') return `${quote(key, 40)}=…`;
      return `${quote(key, 40)}=${quote(typeof value === 'string' ? value : exactText(value), 60)}`;
    });
  return `(${shown.join(', ')})`;
}

function toolCounts(calls: readonly ToolCall[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return list(
    [...counts].slice(0, maxEntries).map(([name, count]) => `${quote(name, maxListQuote)} × ${count}`),
  );
}

function workingContext(request: string | undefined, result: ToolOutcome | undefined): string {
  const asked = request === undefined ? [] : [`last asked: ${quote(request)}`];
  return list(result === undefined ? asked : [...asked, `last result: ${quote(result.content)}`]);
}

/** A piece of a user's message: the user's own text, or a summary. */
export interface Piece {
  readonly text: string;
  readonly isSummary: boolean;
}

/** The pieces of a user's message, without blank ones. It may contain summaries, because messages of one role are joined. */
export function piecesOf(content: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (;;) {
    const start = content.indexOf(`${opening}\n\n`, from);
    const end = start === -1 ? -1 : content.indexOf(closing, start);
    if (end === -1) break;
    const before = content.slice(from, start).replace(/\n\n$/, '');
    from = end + closing.length;
    pieces.push({ text: before, isSummary: false }, { text: content.slice(start, from), isSummary: true });
    if (content.startsWith('\n\n', from)) from += 2;
  }
  pieces.push({ text: content.slice(from), isSummary: false });
  return pieces.filter(({ text }) => !isBlank(text));
}

/** The text under a heading of a summary. */
function sectionIn(
  summary: string | undefined,
  heading: (typeof summaryHeadings)[number],
): string | undefined {
  const start = summary?.indexOf(`\n\n${heading}: `) ?? -1;
  if (summary === undefined || start === -1) return undefined;
  const from = start + heading.length + 4;
  const text = summary.slice(from, summary.indexOf('\n\n', from));
  return text === nothing ? undefined : text;
}
