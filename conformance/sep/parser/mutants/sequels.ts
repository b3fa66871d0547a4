/** Parsers that read a tag by what came before it: values that stick, ids that are taken, thoughts that end too early. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { emits, mutant, reads, textAt } from './mutant.ts';
import type { Event } from './mutant.ts';
import { closeOfBody, isJson, rebodied, retagged } from './walk.ts';

/** An absent attribute has the value of the last tag with this name. */
const attributeSticks = (name: string, attribute: string): AnswerFault =>
  reads((output) => {
    const form = new RegExp(` ${attribute}="[^"]*"`);
    let last = '';
    return retagged(output, (found) => {
      if (found.name !== name || found.closes) return found.tag;
      const own = form.exec(found.tag)?.[0];
      last = own ?? last;
      return own === undefined ? found.tag.replace(`<${name}`, `<${name}${last}`) : found.tag;
    });
  });

/** An absent member has the value of the last body. */
const memberSticks = (member: string): AnswerFault =>
  reads((output) => {
    let last: Json | undefined;
    return rebodied(output, closeOfBody, (body) => {
      const value: Json = isJson(body) ? (JSON.parse(body) as Json) : null;
      if (!isObject(value)) return body;
      const own = value[member];
      if (own === undefined && last !== undefined) return JSON.stringify({ ...value, [member]: last });
      last = own;
      return body;
    });
  });

/** Gives actions other ids, and drops each whose id came before. `keyOf`: what it compares. */
const idsAs = (idOf: (action: JsonObject) => string, keyOf: (id: string) => string): AnswerFault =>
  emits((events) => {
    const seen = new Set<string>();
    return events.flatMap((event): readonly Event[] => {
      const { action } = event;
      if (!isObject(action)) return [event];
      const id = idOf(action);
      if (seen.has(keyOf(id))) return [];
      seen.add(keyOf(id));
      return [{ ...event, action: { ...action, id } }];
    });
  });

const itself = (id: string): string => id;
const idIn = (action: JsonObject): string => textAt(action, 'id');

/** Something of a thought, whose end it seems to be. */
const endsThought = (form: RegExp): AnswerFault => reads((output) => output.replace(form, '$&</thought>'));

/** The mutants of sequels. */
export const sequelMutants: readonly Mutant[] = [
  mutant(
    50,
    'final-sticks',
    'An absent final is that of the last one.',
    attributeSticks('response', 'final'),
  ),
  mutant(93, 'type-sticks', 'An absent type is that of the last action.', attributeSticks('action', 'type')),
  mutant(93, 'mode-sticks', 'An absent mode is that of the last action.', attributeSticks('action', 'mode')),
  mutant(25, 'id-sticks', 'An absent id is that of the last action.', attributeSticks('action', 'id')),
  mutant(35, 'depends-sticks', 'Absent ids are those of the last action.', memberSticks('depends_on')),
  mutant(24, 'parameters-stick', 'Absent parameters are those before.', memberSticks('parameters')),
  mutant(
    25,
    'ids-from-names',
    'The id of an action without one is its name.',
    idsAs((action) => (action['generated'] === true ? textAt(action, 'name') : idIn(action)), itself),
  ),
  mutant(
    26,
    'ids-in-any-case',
    'It compares ids without their case.',
    idsAs(idIn, (id) => id.toLowerCase()),
  ),
  mutant(
    26,
    'ids-composed',
    'It composes the characters of ids.',
    idsAs(idIn, (id) => id.normalize('NFC')),
  ),
  mutant(
    14,
    'strings-end-thoughts',
    'A closing tag in a string ends the thought around the action.',
    reads((output) => output.replace(/(<thought>[^<]*)<action[^>]*>[^<]*<\/thought>/, '$1</thought>')),
  ),
  mutant(
    14,
    'words-end-thought',
    'A body that is no JSON ends the thought around the action.',
    endsThought(/<thought>[^<]*<action[^>]*>[^<{]*<\/action>/),
  ),
  mutant(
    14,
    'nameless-ends-thought',
    'A body without a name ends the thought around the action.',
    endsThought(/<thought>[^<]*<action[^>]*>\{(?!"name)[^<]*<\/action>/),
  ),
  mutant(
    14,
    'mode-ends-thought',
    'An unknown mode ends the thought around the action.',
    endsThought(/<thought>[^<]*<action[^>]*mode="later"[^>]*>[^<]*<\/action>/),
  ),
  mutant(
    14,
    'second-ends-thought',
    'An id that came before ends the thought around the action.',
    endsThought(/<thought>.*?<action[^>]* id="(\w+)">.*?<action[^>]* id="\1">[^<]*<\/action>/s),
  ),
];
