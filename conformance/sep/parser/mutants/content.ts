/** Parsers that read XML or Markdown where SEP has none: tags that close themselves, entities and code fences. */
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { withTexts } from '../../shared/characters.ts';
import { emitsActions, emitsTexts, hidden, mutant, reads, readsAs } from './mutant.ts';
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
export const contentMutants: readonly Mutant[] = [
  mutant(
    142,
    'self-closed-open',
    'It takes a tag that closes itself for an open one.',
    reads((output) => output.replaceAll(selfClosed, '<$1$2>')),
  ),
  mutant(
    142,
    'self-closed-text',
    'It takes a tag that closes itself for text.',
    readsAs((output) =>
      output.replaceAll(/<thought\s*\/>/g, '<thought><</thought>').replaceAll(selfClosed, `${hidden}$1$2/>`),
    ),
  ),
  mutant(143, 'decodes-thoughts', 'It decodes the entities of thoughts.', decodesTexts('thought')),
  mutant(143, 'decodes-responses', 'It decodes the entities of responses.', decodesTexts('response')),
  mutant(
    143,
    'decodes-parameters',
    'It decodes the entities of parameters.',
    emitsActions((action) => ({ ...action, parameters: withTexts(action['parameters'] ?? {}, decoded) })),
  ),
  mutant(21, 'decodes-bodies', 'It decodes the entities of a body that is no JSON.', changesBodies(decoded)),
  mutant(
    21,
    'reads-bodies-twice',
    'It reads the JSON in a body that is a text.',
    reads((output) => output.replaceAll('"{\\"name\\":\\"x\\"}"', '{"name":"x"}')),
  ),
  mutant(144, 'fences-hide-tags', 'The tags in a code fence are text.', hides(/```[^]*?```/g)),
  mutant(
    144,
    'open-fences-hide-tags',
    'Behind a code fence without an end, no tag is one.',
    hides(/(?<=(?:^|\n)```\w*\n(?![^]*```))[^]*$/g),
  ),
  mutant(144, 'ticks-hide-tags', 'The tags between ticks are text.', hides(/(?<![`])`(?!`)[^`\n]*`/g)),
];
