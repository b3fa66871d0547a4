/** Parsers that read the attributes and members of actions in another way. */
import { rounded } from '../../../../src/kit/testee/index.ts';
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { actionModes, actionTypes } from '../../../../src/sep/index.ts';
import { emits, emitsActions, isOf, reads, silentAbout, textAt } from './mutant.ts';
import type { Event, ParserFaults } from './mutant.ts';
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
export const actionFaults: ParserFaults = {
  'rounds-integers': emitsActions((action) => ({
    ...action,
    parameters: rounded(action['parameters'] ?? {}),
  })),
  'integers-as-texts': emitsActions((action) => ({
    ...action,
    parameters: rounded(action['parameters'] ?? {}, String),
  })),
  'few-digits': reads((output) =>
    output.replaceAll(/(?<=:)-?\d+(?:\.\d{7,}|e-\d+)(?=[,}])/g, (number) => Number(number).toFixed(6)),
  ),
  nameless: edits((body) => body.replace(/^\{(?!.*"name")/s, '{"name":"x",')),
  'empty-name': edits((body) => body.replace('"name":""', '"name":"x"')),
  'number-name': edits((body) => body.replace(/"name":(\d+)/, '"name":"$1"')),
  'null-name': edits((body) => body.replace('"name":null', '"name":"null"')),
  'null-parameters': emitsActions((action) =>
    fewMembers(action['parameters']) ? { ...action, parameters: null } : action,
  ),
  'same-id': generated((action) => ({ ...action, id: '#action' })),
  'plain-ids': generated((action) => ({ ...action, id: textAt(action, 'id').replace('#', 'made-') })),
  'first-number': generated((action) => ({ ...action, id: '#1' })),
  'needs-ids': generated(() => undefined),
  'empty-ids': generated((action) => ({ ...action, id: '' })),
  'takes-both': chooses(() => true),
  'last-stands': chooses(
    (event, ids) => idOf(event).endsWith(again) || !ids.includes(`${idOf(event)}${again}`),
  ),
  'rejects-both': chooses(
    (event, ids) => !idOf(event).endsWith(again) && !ids.includes(`${idOf(event)}${again}`),
  ),
  'inherited-ids': emitsActions((action) => (textAt(action, 'id') in {} ? undefined : action)),
  'any-type': attribute('type', [...actionTypes, 'TOOL'], () => 'tool'),
  'type-in-any-case': attribute('type', actionTypes, (value) => value.toLowerCase()),
  'any-mode': attribute('mode', [...actionModes, 'fire-and-forget'], () => 'sync'),
  hyphens: attribute('mode', actionModes, (value) => value.replaceAll('-', '_')),
  'no-relics': emitsActions((action) => (action['type'] === 'relic' ? undefined : action)),
  'no-internal-actions': emitsActions((action) => (action['type'] === 'internal' ? undefined : action)),
  'needs-type': defaults('type', '?'),
  'needs-mode': defaults('mode', '?'),
  'async-by-default': defaults('mode', 'async'),
  'agent-by-default': defaults('type', 'agent'),
  'defaults-silently': silentAbout('attribute-missing'),
  'depends-on-null': edits((body) => body.replace('"depends_on":null', '"depends_on":["null"]')),
  'empty-list-rejected': edits((body) => (body.includes('"depends_on":[]') ? '!' : body)),
  'first-dependency': edits((body) => body.replace(/"depends_on":\["(\w+)",[^\]]*\]/, '"depends_on":["$1"]')),
  'no-attribute': reads((output) => output.replaceAll(/ depends_on=\[[^\]]*\](?=[^>]*>)/g, '')),
  'no-quoted-list': reads((output) => output.replaceAll(/ depends_on='[^']*'(?=[^>]*>)/g, '')),
  'attribute-instead': reads((output) =>
    output.replaceAll(/(<action[^>]*depends_on=\[[^\]]*\][^>]*>[^<]*),"depends_on":\[[^\]]*\]/g, '$1'),
  ),
  'lists-twice': emits((events, request) =>
    /depends_on=\["(\w+)"\].*"depends_on":\["\1"\]/s.test(outputOf(request))
      ? events.map((event) =>
          isOf('action', event) ? { ...event, action: listedTwice(event['action'] as JsonObject) } : event,
        )
      : events,
  ),
};

const listedTwice = (action: JsonObject): JsonObject => {
  const { depends_on: ids } = action;
  return isArray(ids) ? { ...action, depends_on: [...ids, ...ids] } : action;
};
