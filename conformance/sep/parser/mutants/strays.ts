/** Parsers that take for a tag, an attribute or a body what is none. */
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { emitsTexts, hidden, mutant, reads, readsAs } from './mutant.ts';
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
export const strayMutants: readonly Mutant[] = [
  mutant(
    5,
    'less-hides-tag',
    'A tag behind another less-than sign is text.',
    readsAs((output) => output.replaceAll('<<', `${hidden}${hidden}`)),
  ),
  mutant(
    5,
    'opens-hide-tags',
    'It loses the begin of a tag before a tag.',
    reads((output) => output.replaceAll(/<thought(?=<)/g, '')),
  ),
  mutant(
    5,
    'drops-stray-closes',
    'It drops closing tags outside of all tags.',
    removes('text', /<\/(?:thought|response|context_feed)>/g),
  ),
  mutant(
    5,
    'drops-closes-in-thoughts',
    'It drops the closing tags of responses in thoughts.',
    removes('thought', /<\/response>/g),
  ),
  mutant(
    5,
    'drops-closes-in-responses',
    'It drops the closing tags of feeds in responses.',
    removes('response', /<\/context_feed>/g),
  ),
  mutant(5, 'comments-in-thoughts', 'It drops comments in thoughts.', removes('thought', /<!--.*?-->/gs)),
  mutant(5, 'comments-in-responses', 'It drops comments in responses.', removes('response', /<!--.*?-->/gs)),
  mutant(
    5,
    'open-comments',
    'A comment in a thought goes on behind the thought.',
    reads((output) => output.replace(/(<thought>[^<]*)<!--(?!.*-->).*/s, '$1</thought>')),
  ),
  mutant(5, 'drops-declarations', 'It drops declarations of XML.', removes('thought', /<[!?][A-Z[\w].*?>/g)),
  mutant(
    6,
    'ends-of-names',
    'It knows an attribute by the end of its name.',
    retags((tag) => tag.replaceAll(/ \w+[-_](id|type|mode)=/g, ' $1=')),
  ),
  mutant(
    6,
    'ends-of-first-names',
    'It knows an attribute by the end of its name, and the first one counts.',
    retags((tag) => tag.replaceAll(/ \w+[-_](id|type|mode)=("\w+") \1="\w+"/g, ' $1=$2')),
  ),
  mutant(
    6,
    'attributes-in-values',
    'It reads attributes in a value.',
    retags((tag) => tag.replace(/ id='(type[^']*)'(.*)>/s, '$2 $1>')),
  ),
  mutant(
    6,
    'attributes-in-last-value',
    'It reads attributes in the last value.',
    retags((tag) => tag.replace(/ id="( mode=[^"]*)"/, '$1')),
  ),
  mutant(
    9,
    'trims-feeds',
    'It trims context feeds.',
    emitsTexts('context_feed', (text) => text.trim()),
  ),
  mutant(
    18,
    'drops-half-tags',
    'It drops a tag that the end of the output cuts.',
    reads((output) => output.replace(/(<response>[^<]*)<\w+\s[^<>]*$/, '$1')),
  ),
  mutant(
    18,
    'drops-half-closes',
    'It drops the begin of a closing tag at the end of a response.',
    reads((output) => output.replace(/(<response>[^<]*)<(?:\/\w*)?$/, '$1')),
  ),
  mutant(
    20,
    'last-close',
    'The last closing tag ends a string without an end.',
    reads((output) => output.replace(/(:"\w+)<\/action>([^"\n]*<\/action>)(?![^]*")/, '$1$2')),
  ),
  mutant(
    20,
    'loses-until-fault',
    'It loses what stands between a closing tag in a string and the fault of the JSON.',
    reads((output) => output.replaceAll(/(:"[^"\n]*?<\/action>)[^"\n]+\n/g, '$1\n')),
  ),
  mutant(
    21,
    'any-blanks',
    'It trims a body as JavaScript does.',
    edits((body) => body.trim()),
  ),
  mutant(
    21,
    'tags-in-strings',
    'It refuses a body with a tag in a string.',
    edits((body) => (body.includes('<thought>') ? '!' : body)),
  ),
];
