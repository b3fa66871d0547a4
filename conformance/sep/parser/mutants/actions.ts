/** Parsers that read the attributes and members of actions in another way. */
import { rounded } from '../../../../src/kit/testee/index.ts';
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { actionModes, actionTypes } from '../../../../src/sep/index.ts';
import { emits, emitsActions, isOf, mutant, reads, silentAbout, textAt } from './mutant.ts';
import type { Event } from './mutant.ts';
import { outputOf } from '../memory.ts';
import { eventsOf } from './mutant.ts';
import { firstClose, rebodied, retagged } from './walk.ts';

/** A parser that changes the tags of actions before it reads them. */
const retags = (edit: (tag: string) => string): AnswerFault =>
  reads((output) =>
    retagged(output, ({ tag, name, closes }) => (name === 'action' && !closes ? edit(tag) : tag)),
  );

/** A parser that changes the bodies of actions before it reads them. */
const edits = (edit: (body: string) => string): AnswerFault =>
  reads((output) => rebodied(output, firstClose, edit));

/** A parser that gives a value to the attributes with a form that it does not know. */
const attribute = (name: string, known: readonly string[], edit: (value: string) => string): AnswerFault =>
  retags((tag) =>
    tag.replace(new RegExp(`${name}="([^"]*)"`), (all, value: string) =>
      known.includes(value) ? all : `${name}="${edit(value)}"`,
    ),
  );

/** A parser that adds an attribute where it is absent. */
const defaults = (name: string, value: string): AnswerFault =>
  retags((tag) => (tag.includes(`${name}=`) ? tag : tag.replace('<action', `<action ${name}="${value}"`)));

/** Generated actions with another id, or without an event. */
const generated = (edit: (action: JsonObject) => JsonObject | undefined): AnswerFault =>
  emitsActions((action) => (action['generated'] === true ? edit(action) : action));

/** Stands behind an id that came before. */
const again = '~again';

/** The events of an output in which each id that came before is another one. */
function withOwnIds(output: string): readonly Event[] {
  const seen = new Set<string>();
  const renamed = retagged(output, ({ tag }) =>
    tag.replace(/ id="([^"]+)"/, (all, id: string) => {
      if (seen.has(id)) return ` id="${id}${again}"`;
      seen.add(id);
      return all;
    }),
  );
  return eventsOf(renamed);
}

const idOf = ({ action }: Event): string => (isObject(action) ? textAt(action, 'id') : '');

/** A parser that chooses otherwise between actions with one id. */
const chooses = (isKept: (event: Event, ids: readonly string[]) => boolean): AnswerFault =>
  emits((_, request) => {
    const events = withOwnIds(outputOf(request));
    const ids = events.map(idOf);
    return events
      .filter((event) => !isOf('action', event) || isKept(event, ids))
      .map((event) =>
        isOf('action', event)
          ? { ...event, action: { ...(event['action'] as JsonObject), id: idOf(event).replace(again, '') } }
          : event,
      );
  });

const fewMembers = (value: unknown): boolean => !isObject(value) || Object.keys(value).length === 0;

/** The mutants of attributes and members. */
export const actionMutants: readonly Mutant[] = [
  mutant(
    145,
    'rounds-integers',
    'Its integers are doubles.',
    emitsActions((action) => ({ ...action, parameters: rounded(action['parameters'] ?? {}) })),
  ),
  mutant(
    145,
    'integers-as-texts',
    'An integer that no double is becomes a text.',
    emitsActions((action) => ({ ...action, parameters: rounded(action['parameters'] ?? {}, String) })),
  ),
  mutant(
    145,
    'few-digits',
    'It keeps six digits behind the point.',
    reads((output) =>
      output.replaceAll(/(?<=:)-?\d+(?:\.\d{7,}|e-\d+)(?=[,}])/g, (number) => Number(number).toFixed(6)),
    ),
  ),
  mutant(
    24,
    'nameless',
    'It takes an action without a name.',
    edits((body) => body.replace(/^\{(?!.*"name")/s, '{"name":"x",')),
  ),
  mutant(
    24,
    'empty-name',
    'It takes an empty name.',
    edits((body) => body.replace('"name":""', '"name":"x"')),
  ),
  mutant(
    24,
    'number-name',
    'It takes a number as the name.',
    edits((body) => body.replace(/"name":(\d+)/, '"name":"$1"')),
  ),
  mutant(
    24,
    'null-name',
    'It takes null as the name.',
    edits((body) => body.replace('"name":null', '"name":"null"')),
  ),
  mutant(
    24,
    'null-parameters',
    'Absent parameters are null.',
    emitsActions((action) => (fewMembers(action['parameters']) ? { ...action, parameters: null } : action)),
  ),
  mutant(
    25,
    'same-id',
    'All actions without an id have the same one.',
    generated((action) => ({ ...action, id: '#action' })),
  ),
  mutant(
    25,
    'plain-ids',
    'It makes ids as a model writes them.',
    generated((action) => ({ ...action, id: textAt(action, 'id').replace('#', 'made-') })),
  ),
  mutant(
    25,
    'first-number',
    'It does not look whether an id is taken.',
    generated((action) => ({ ...action, id: '#1' })),
  ),
  mutant(
    25,
    'needs-ids',
    'It rejects an action without an id.',
    generated(() => undefined),
  ),
  mutant(
    25,
    'empty-ids',
    'It leaves the id empty.',
    generated((action) => ({ ...action, id: '' })),
  ),
  mutant(
    26,
    'takes-both',
    'It takes both actions with an id.',
    chooses(() => true),
  ),
  mutant(
    26,
    'last-stands',
    'The last action with an id stands.',
    chooses((event, ids) => idOf(event).endsWith(again) || !ids.includes(`${idOf(event)}${again}`)),
  ),
  mutant(
    26,
    'rejects-both',
    'It rejects both actions with an id.',
    chooses((event, ids) => !idOf(event).endsWith(again) && !ids.includes(`${idOf(event)}${again}`)),
  ),
  mutant(
    26,
    'inherited-ids',
    'It looks up ids in an object, which has a constructor.',
    emitsActions((action) => (textAt(action, 'id') in {} ? undefined : action)),
  ),
  mutant(
    27,
    'any-type',
    'An unknown type is a tool.',
    attribute('type', [...actionTypes, 'TOOL'], () => 'tool'),
  ),
  mutant(
    27,
    'type-in-any-case',
    'It takes types in uppercase.',
    attribute('type', actionTypes, (value) => value.toLowerCase()),
  ),
  mutant(
    27,
    'any-mode',
    'An unknown mode is sync.',
    attribute('mode', [...actionModes, 'fire-and-forget'], () => 'sync'),
  ),
  mutant(
    27,
    'hyphens',
    'It takes hyphens for low lines.',
    attribute('mode', actionModes, (value) => value.replaceAll('-', '_')),
  ),
  mutant(
    27,
    'no-relics',
    'It does not know relics.',
    emitsActions((action) => (action['type'] === 'relic' ? undefined : action)),
  ),
  mutant(
    27,
    'no-internal-actions',
    'It does not know internal actions.',
    emitsActions((action) => (action['type'] === 'internal' ? undefined : action)),
  ),
  mutant(93, 'needs-type', 'It rejects an action without a type.', defaults('type', '?')),
  mutant(93, 'needs-mode', 'It rejects an action without a mode.', defaults('mode', '?')),
  mutant(93, 'async-by-default', 'An action without a mode is async.', defaults('mode', 'async')),
  mutant(93, 'agent-by-default', 'An action without a type is an agent.', defaults('type', 'agent')),
  mutant(
    93,
    'defaults-silently',
    'It says nothing about absent attributes.',
    silentAbout('attribute-missing'),
  ),
  mutant(
    35,
    'depends-on-null',
    'A depends_on of null is a dependency.',
    edits((body) => body.replace('"depends_on":null', '"depends_on":["null"]')),
  ),
  mutant(
    35,
    'empty-list-rejected',
    'It rejects an empty depends_on.',
    edits((body) => (body.includes('"depends_on":[]') ? '!' : body)),
  ),
  mutant(
    35,
    'first-dependency',
    'It keeps only the first id of depends_on.',
    edits((body) => body.replace(/"depends_on":\["(\w+)",[^\]]*\]/, '"depends_on":["$1"]')),
  ),
  mutant(
    36,
    'no-attribute',
    'It ignores depends_on as an attribute.',
    reads((output) => output.replaceAll(/ depends_on=\[[^\]]*\](?=[^>]*>)/g, '')),
  ),
  mutant(
    36,
    'no-quoted-list',
    'It ignores depends_on in quotes.',
    reads((output) => output.replaceAll(/ depends_on='[^']*'(?=[^>]*>)/g, '')),
  ),
  mutant(
    36,
    'attribute-instead',
    'The attribute depends_on replaces that of the body.',
    reads((output) =>
      output.replaceAll(/(<action[^>]*depends_on=\[[^\]]*\][^>]*>[^<]*),"depends_on":\[[^\]]*\]/g, '$1'),
    ),
  ),
  mutant(
    36,
    'lists-twice',
    'It lists an id twice that is in both.',
    emits((events, request) =>
      /depends_on=\["(\w+)"\].*"depends_on":\["\1"\]/s.test(outputOf(request))
        ? events.map((event) =>
            isOf('action', event) ? { ...event, action: listedTwice(event['action'] as JsonObject) } : event,
          )
        : events,
    ),
  ),
];

const listedTwice = (action: JsonObject): JsonObject => {
  const { depends_on: ids } = action;
  return isArray(ids) ? { ...action, depends_on: [...ids, ...ids] } : action;
};
