/** Parsers that read tags, attributes and the text around them in another way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { isCut, piecesOf, textOfPieces } from '../memory.ts';
import { emits, emitsEach, emitsTexts, eventsOf, isOf, reads, silentAbout, textAt } from './mutant.ts';
import type { ParserFaults } from './mutant.ts';

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
const cutFaults: ParserFaults = {
  'forgets-tags': emits((events, request) =>
    isCut(request) ? piecesOf(request).flatMap((bytes) => eventsOf(textOfPieces([bytes]))) : events,
  ),
  'cuts-characters': reads((_, request) =>
    piecesOf(request)
      .map((bytes) => textOfPieces([bytes]))
      .join(''),
  ),
  'loses-what-it-held': reads((_, request) =>
    textOfPieces(
      piecesOf(request).map((bytes, i, all) =>
        bytes.at(-1) === less && i < all.length - 1 ? bytes.subarray(0, -1) : bytes,
      ),
    ),
  ),
  'offsets-in-pieces': emitsEach((event, request) => {
    const { offset } = event;
    return typeof offset === 'number' ? { ...event, offset: inPiece(request, offset) } : event;
  }),
};

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
export const tagFaults: ParserFaults = {
  ...cutFaults,
  'any-case': reads((output) =>
    output.replaceAll(
      new RegExp(`(</?)(${names})\\b`, 'gi'),
      (_, open: string, name: string) => open + name.toLowerCase(),
    ),
  ),
  'no-feeds': emitsEach((event) =>
    isOf('context_feed', event) ? { type: 'text', text: event['text'] ?? '' } : event,
  ),
  'drops-unknown-tags': reads((output) =>
    output.replaceAll(new RegExp(`</?(?!(?:${names})\\b)[a-z]\\w*[^<>]*>`, 'g'), ''),
  ),
  'names-begin-alike': reads((output) => output.replaceAll(new RegExp(`<(${names})\\w+>`, 'g'), '<$1>')),
  'any-close': reads((output) => output.replaceAll(/(<response[^>]*>[^<]*)<\/thought>/g, '$1</response>')),
  'double-quotes-only': rewrites((tag) => tag.replaceAll(/\w+\s*=\s*'[^'>]*'/g, '')),
  'no-blanks-around-equals': rewrites((tag) => tag.replaceAll(/\w+(?:\s+=\s*|\s*=\s+)"[^"]*"/g, '')),
  'type-first': rewrites((tag) =>
    /^<action\s+type/.test(tag) ? tag : tag.replace(/type=("agent"|'agent')/, ''),
  ),
  'one-line': rewrites((tag) => tag.replace(/\n[^>]*>$/, '>')),
  'first-greater': endsAtGreater('action'),
  'first-greater-in-response': endsAtGreater('response'),
  'first-attribute': rewrites((tag) => tag.replace(/ (mode|id)="(\w+)" \1="\w+"/, ' $1="$2" $1="$2"')),
  'repeated-silently': silentAbout('attribute-repeated'),
  'trims-thoughts': trims('thought'),
  'trims-responses': trims('response'),
  'one-blank': emitsTexts('response', (text) => text.replaceAll(/\s+/g, ' ')),
  'strict-closing-tags': reads((output) => output.replaceAll(/<\/(\w+)\s+>/g, '< /$1>')),
  'comments-are-text': reads((output) => output.replace(/^<!--/, '<!-')),
  'reads-comments': reads((output) => output.replace(/^<!--(.*?)-->/s, '$1')),
  'silent-about-text': emits((events) => events.filter((event) => !isOf('text', event))),
  'text-is-response': emitsEach((event) =>
    isOf('text', event) && textAt(event, 'text').trim() !== ''
      ? { ...event, type: 'response', final: true }
      : event,
  ),
  'actions-first': emits((events) => [
    ...events.filter((event) => isOf('action', event)),
    ...events.filter((event) => !isOf('action', event)),
  ]),
  'thoughts-last': emits((events) => [
    ...events.filter((event) => !isOf('thought', event)),
    ...events.filter((event) => isOf('thought', event)),
  ]),
  'no-ends': onlyInEverything('response_end'),
  'no-feed-events': onlyInEverything('context_feed'),
  'endless-tags': reads((output) => output.replaceAll(/ id="x{4096,}"/g, ' id="x"')),
  'short-tags': reads((output) => output.replaceAll(/<action[^>]{1024,4000}>/g, '')),
  'no-diagnostics': onlyInEverything('diagnostic'),
};

/** Lacks a kind of events in an output that has every kind. */
function onlyInEverything(kind: string): AnswerFault {
  return emits((events) =>
    ['response_end', 'context_feed', 'diagnostic'].every((one) => events.some((event) => isOf(one, event)))
      ? events.filter((event) => !isOf(kind, event))
      : events,
  );
}
