/** Parsers that read tags, attributes and the text around them in another way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { isCut, piecesOf, textOfPieces } from '../memory.ts';
import {
  emits,
  emitsEach,
  emitsTexts,
  eventsOf,
  isOf,
  mutant,
  reads,
  silentAbout,
  textAt,
} from './mutant.ts';

const names = 'thought|action|response|context_feed';

/** The tags of actions, each with its attributes. */
const actionTags = /<action\b(?:[^>"']|"[^"]*"|'[^']*')*>/g;

/** Writes the tags of actions in another way. */
const rewrites = (edit: (tag: string) => string): AnswerFault =>
  reads((output) => output.replaceAll(actionTags, edit));

/** The quote that is open at the end of a tag; '' when none is. */
function openQuote(tag: string): string {
  let open = '';
  for (const char of tag)
    if (open === '' && (char === '"' || char === "'")) open = char;
    else if (char === open) open = '';
  return open;
}

/** The first greater-than sign ends the tags with a name. */
const endsAtGreater = (name: string): AnswerFault =>
  reads((output) =>
    output.replaceAll(new RegExp(`<${name}\\b[^>]*>`, 'g'), (tag) => `${tag.slice(0, -1)}${openQuote(tag)}>`),
  );

/** Trims what all texts of a kind are together. */
const trims = (kind: string): AnswerFault =>
  emits((events) => {
    const [first] = events.filter((event) => isOf(kind, event));
    const last = events.findLast((event) => isOf(kind, event));
    return events.map((event) => {
      if (!isOf(kind, event)) return event;
      const text = event === first ? textAt(event, 'text').trimStart() : textAt(event, 'text');
      return { ...event, text: event === last ? text.trimEnd() : text };
    });
  });

/** The mutants of cuts. */
const cutMutants: readonly Mutant[] = [
  mutant(
    3,
    'forgets-tags',
    'It reads each piece alone, so that a tag in two pieces is text.',
    emits((events, request) =>
      isCut(request) ? piecesOf(request).flatMap((bytes) => eventsOf(textOfPieces([bytes]))) : events,
    ),
  ),
  mutant(
    3,
    'cuts-characters',
    'It decodes each piece of bytes alone.',
    reads((_, request) =>
      piecesOf(request)
        .map((bytes) => textOfPieces([bytes]))
        .join(''),
    ),
  ),
  mutant(
    3,
    'loses-what-it-held',
    'It loses a less-than sign at the end of a piece.',
    reads((_, request) =>
      textOfPieces(
        piecesOf(request).map((bytes, i, all) =>
          bytes.at(-1) === less && i < all.length - 1 ? bytes.subarray(0, -1) : bytes,
        ),
      ),
    ),
  ),
  mutant(
    3,
    'offsets-in-pieces',
    'The offset of a fault counts from the begin of the piece.',
    emitsEach((event, request) => {
      const { offset } = event;
      return typeof offset === 'number' ? { ...event, offset: inPiece(request, offset) } : event;
    }),
  ),
];

/** A position in the output, from the begin of its piece. */
function inPiece(request: JsonObject, offset: number): number {
  let from = 0;
  for (const { length } of piecesOf(request)) {
    if (offset < from + length) return offset - from;
    from += length;
  }
  return offset - from;
}

/** The byte of a less-than sign. */
const less = 0x3c;

/** The mutants of tags and attributes. */
export const tagMutants: readonly Mutant[] = [
  ...cutMutants,
  mutant(
    1,
    'any-case',
    'It knows tags in uppercase.',
    reads((output) =>
      output.replaceAll(
        new RegExp(`(</?)(${names})\\b`, 'gi'),
        (_, open: string, name: string) => open + name.toLowerCase(),
      ),
    ),
  ),
  mutant(
    1,
    'no-feeds',
    'A context feed is text.',
    emitsEach((event) => (isOf('context_feed', event) ? { type: 'text', text: event['text'] ?? '' } : event)),
  ),
  mutant(
    5,
    'drops-unknown-tags',
    'It removes tags that it does not know.',
    reads((output) => output.replaceAll(new RegExp(`</?(?!(?:${names})\\b)[a-z]\\w*[^<>]*>`, 'g'), '')),
  ),
  mutant(
    5,
    'names-begin-alike',
    'A tag whose name begins like a known one is that one.',
    reads((output) => output.replaceAll(new RegExp(`<(${names})\\w+>`, 'g'), '<$1>')),
  ),
  mutant(
    5,
    'any-close',
    'The closing tag of another block ends a response.',
    reads((output) => output.replaceAll(/(<response[^>]*>[^<]*)<\/thought>/g, '$1</response>')),
  ),
  mutant(
    6,
    'double-quotes-only',
    'It reads no single quotes.',
    rewrites((tag) => tag.replaceAll(/\w+\s*=\s*'[^'>]*'/g, '')),
  ),
  mutant(
    6,
    'no-blanks-around-equals',
    'It reads no attribute with blanks around its equals sign.',
    rewrites((tag) => tag.replaceAll(/\w+(?:\s+=\s*|\s*=\s+)"[^"]*"/g, '')),
  ),
  mutant(
    6,
    'type-first',
    'It reads the attributes only in the order of the document.',
    rewrites((tag) => (/^<action\s+type/.test(tag) ? tag : tag.replace(/type=("agent"|'agent')/, ''))),
  ),
  mutant(
    6,
    'one-line',
    'It reads the attributes of the first line of a tag.',
    rewrites((tag) => tag.replace(/\n[^>]*>$/, '>')),
  ),
  mutant(7, 'first-greater', 'The first greater-than sign ends a tag.', endsAtGreater('action')),
  mutant(
    7,
    'first-greater-in-response',
    'The first greater-than sign ends the tag of a response.',
    endsAtGreater('response'),
  ),
  mutant(
    8,
    'first-attribute',
    'The first attribute with a name counts.',
    rewrites((tag) => tag.replace(/ (mode|id)="(\w+)" \1="\w+"/, ' $1="$2" $1="$2"')),
  ),
  mutant(
    8,
    'repeated-silently',
    'It says nothing about repeated attributes.',
    silentAbout('attribute-repeated'),
  ),
  mutant(9, 'trims-thoughts', 'It trims thoughts.', trims('thought')),
  mutant(9, 'trims-responses', 'It trims responses.', trims('response')),
  mutant(
    9,
    'one-blank',
    'Several blanks become one.',
    emitsTexts('response', (text) => text.replaceAll(/\s+/g, ' ')),
  ),
  mutant(
    10,
    'strict-closing-tags',
    'A closing tag with a blank is text.',
    reads((output) => output.replaceAll(/<\/(\w+)\s+>/g, '< /$1>')),
  ),
  mutant(
    11,
    'comments-are-text',
    'A comment is text.',
    reads((output) => output.replace(/^<!--/, '<!-')),
  ),
  mutant(
    11,
    'reads-comments',
    'It reads the tags in a comment.',
    reads((output) => output.replace(/^<!--(.*?)-->/s, '$1')),
  ),
  mutant(
    57,
    'silent-about-text',
    'It drops text outside of tags.',
    emits((events) => events.filter((event) => !isOf('text', event))),
  ),
  mutant(
    57,
    'text-is-response',
    'Text outside of tags is a response.',
    emitsEach((event) =>
      isOf('text', event) && textAt(event, 'text').trim() !== ''
        ? { ...event, type: 'response', final: true }
        : event,
    ),
  ),
  mutant(
    77,
    'actions-first',
    'It emits the actions before everything else.',
    emits((events) => [
      ...events.filter((event) => isOf('action', event)),
      ...events.filter((event) => !isOf('action', event)),
    ]),
  ),
  mutant(
    77,
    'thoughts-last',
    'It emits thoughts when the output has ended.',
    emits((events) => [
      ...events.filter((event) => !isOf('thought', event)),
      ...events.filter((event) => isOf('thought', event)),
    ]),
  ),
  mutant(79, 'no-ends', 'It does not report the ends of responses.', onlyInEverything('response_end')),
  mutant(79, 'no-feed-events', 'It does not report context feeds.', onlyInEverything('context_feed')),
  mutant(
    5,
    'endless-tags',
    'Its tags may have any length.',
    reads((output) => output.replaceAll(/ id="x{4096,}"/g, ' id="x"')),
  ),
  mutant(
    6,
    'short-tags',
    'It takes a tag of more than 1,024 characters for text.',
    reads((output) => output.replaceAll(/<action[^>]{1024,4000}>/g, '')),
  ),
  mutant(79, 'no-diagnostics', 'It reports no faults.', onlyInEverything('diagnostic')),
];

/** Lacks a kind of events in an output that has every kind. */
function onlyInEverything(kind: string): AnswerFault {
  return emits((events) =>
    ['response_end', 'context_feed', 'diagnostic'].every((one) => events.some((event) => isOf(one, event)))
      ? events.filter((event) => !isOf(kind, event))
      : events,
  );
}
