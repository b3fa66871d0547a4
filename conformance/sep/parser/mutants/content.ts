/** Parsers that read XML or Markdown where SEP has none: tags that close themselves, entities and code fences. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { withTexts } from '../../shared/characters.ts';
import { emitsActions, emitsTexts, hidden, reads, readsAs } from './mutant.ts';
import type { ParserFaults } from './mutant.ts';
import { firstClose, isJson, rebodied } from './walk.ts';

const selfClosed = /<(thought|action|response|context_feed)\b((?:[^<>"'/]|"[^"]*"|'[^']*')*)\/>/g;

/** The characters of some entities. */
const characters: { readonly [entity: string]: string } = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
};

const characterOf = (entity: string, name: string): string => {
  const digits = /^#(x?)([0-9a-f]+)$/i.exec(name);
  if (digits === null) return characters[name] ?? entity;
  return String.fromCodePoint(Number.parseInt(digits[2] ?? '', digits[1] === '' ? 10 : 16));
};

/** A text with the characters of its entities. */
const decoded = (text: string): string => text.replaceAll(/&(#?\w+);/g, characterOf);

const decodesTexts = (kind: string): AnswerFault => emitsTexts(kind, decoded);

/** A parser that reads bodies which are no JSON as they are after a change. */
const changesBodies = (change: (body: string) => string): AnswerFault =>
  reads((output) => rebodied(output, firstClose, (body) => (isJson(body) ? body : change(body))));

/** A parser for which the tags in a part of the output are text. */
const hides = (part: RegExp): AnswerFault =>
  readsAs((output) => output.replaceAll(part, (code) => code.replaceAll('<', hidden)));

/** The mutants of the content of tags. */
export const contentFaults: ParserFaults = {
  'self-closed-open': reads((output) => output.replaceAll(selfClosed, '<$1$2>')),
  'self-closed-text': readsAs((output) =>
    output.replaceAll(/<thought\s*\/>/g, '<thought><</thought>').replaceAll(selfClosed, `${hidden}$1$2/>`),
  ),
  'decodes-thoughts': decodesTexts('thought'),
  'decodes-responses': decodesTexts('response'),
  'decodes-parameters': emitsActions((action) => ({
    ...action,
    parameters: withTexts(action['parameters'] ?? {}, decoded),
  })),
  'decodes-bodies': changesBodies(decoded),
  'reads-bodies-twice': reads((output) => output.replaceAll('"{\\"name\\":\\"x\\"}"', '{"name":"x"}')),
  'fences-hide-tags': hides(/```[^]*?```/g),
  'open-fences-hide-tags': hides(/(?<=(?:^|\n)```\w*\n(?![^]*```))[^]*$/g),
  'ticks-hide-tags': hides(/(?<![`])`(?!`)[^`\n]*`/g),
};
