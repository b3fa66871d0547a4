/** Parsers that read a tag by what came before it: values that stick, ids that are taken, thoughts that end too early. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { emits, reads, textAt } from './mutant.ts';
import type { Event, ParserFaults } from './mutant.ts';
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
export const sequelFaults: ParserFaults = {
  'final-sticks': attributeSticks('response', 'final'),
  'type-sticks': attributeSticks('action', 'type'),
  'mode-sticks': attributeSticks('action', 'mode'),
  'id-sticks': attributeSticks('action', 'id'),
  'depends-sticks': memberSticks('depends_on'),
  'parameters-stick': memberSticks('parameters'),
  'ids-from-names': idsAs(
    (action) => (action['generated'] === true ? textAt(action, 'name') : idIn(action)),
    itself,
  ),
  'ids-in-any-case': idsAs(idIn, (id) => id.toLowerCase()),
  'ids-composed': idsAs(idIn, (id) => id.normalize('NFC')),
  'strings-end-thoughts': reads((output) =>
    output.replace(/(<thought>[^<]*)<action[^>]*>[^<]*<\/thought>/, '$1</thought>'),
  ),
  'words-end-thought': endsThought(/<thought>[^<]*<action[^>]*>[^<{]*<\/action>/),
  'nameless-ends-thought': endsThought(/<thought>[^<]*<action[^>]*>\{(?!"name)[^<]*<\/action>/),
  'mode-ends-thought': endsThought(/<thought>[^<]*<action[^>]*mode="later"[^>]*>[^<]*<\/action>/),
  'second-ends-thought': endsThought(
    /<thought>.*?<action[^>]* id="(\w+)">.*?<action[^>]* id="\1">[^<]*<\/action>/s,
  ),
};
