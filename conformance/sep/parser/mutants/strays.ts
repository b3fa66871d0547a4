/** Parsers that take for a tag, an attribute or a body what is none. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { emitsTexts, hidden, reads, readsAs } from './mutant.ts';
import type { ParserFaults } from './mutant.ts';
import { closeOfBody, rebodied, retagged } from './walk.ts';

/** A parser that removes something from the texts of a kind. */
const removes = (kind: string, what: RegExp): AnswerFault =>
  emitsTexts(kind, (text) => text.replaceAll(what, ''));

/** A parser that changes the opening tags of actions. */
const retags = (edit: (tag: string) => string): AnswerFault =>
  reads((output) =>
    retagged(output, ({ tag, name, closes }) => (name === 'action' && !closes ? edit(tag) : tag)),
  );

/** A parser that changes bodies before it reads them. */
const edits = (edit: (body: string) => string): AnswerFault =>
  reads((output) => rebodied(output, closeOfBody, edit));

/** The mutants of strays. */
export const strayFaults: ParserFaults = {
  'less-hides-tag': readsAs((output) => output.replaceAll('<<', `${hidden}${hidden}`)),
  'opens-hide-tags': reads((output) => output.replaceAll(/<thought(?=<)/g, '')),
  'drops-stray-closes': removes('text', /<\/(?:thought|response|context_feed)>/g),
  'drops-closes-in-thoughts': removes('thought', /<\/response>/g),
  'drops-closes-in-responses': removes('response', /<\/context_feed>/g),
  'comments-in-thoughts': removes('thought', /<!--.*?-->/gs),
  'comments-in-responses': removes('response', /<!--.*?-->/gs),
  'open-comments': reads((output) => output.replace(/(<thought>[^<]*)<!--(?!.*-->).*/s, '$1</thought>')),
  'drops-declarations': removes('thought', /<[!?][A-Z[\w].*?>/g),
  'ends-of-names': retags((tag) => tag.replaceAll(/ \w+[-_](id|type|mode)=/g, ' $1=')),
  'ends-of-first-names': retags((tag) =>
    tag.replaceAll(/ \w+[-_](id|type|mode)=("\w+") \1="\w+"/g, ' $1=$2'),
  ),
  'attributes-in-values': retags((tag) => tag.replace(/ id='(type[^']*)'(.*)>/s, '$2 $1>')),
  'attributes-in-last-value': retags((tag) => tag.replace(/ id="( mode=[^"]*)"/, '$1')),
  'trims-feeds': emitsTexts('context_feed', (text) => text.trim()),
  'drops-half-tags': reads((output) => output.replace(/(<response>[^<]*)<\w+\s[^<>]*$/, '$1')),
  'drops-half-closes': reads((output) => output.replace(/(<response>[^<]*)<(?:\/\w*)?$/, '$1')),
  'last-close': reads((output) => output.replace(/(:"\w+)<\/action>([^"\n]*<\/action>)(?![^]*")/, '$1$2')),
  'loses-until-fault': reads((output) => output.replaceAll(/(:"[^"\n]*?<\/action>)[^"\n]+\n/g, '$1\n')),
  'any-blanks': edits((body) => body.trim()),
  'tags-in-strings': edits((body) => (body.includes('<thought>') ? '!' : body)),
};
