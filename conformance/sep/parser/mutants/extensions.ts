/** Parsers that read extensions in another way, or though they are off. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { sepTestee, switchesOf } from '../../../../src/sep/index.ts';
import { outputOf } from '../memory.ts';
import { emits, emitsActions, emitsEach, isOf, reads } from './mutant.ts';
import type { Event, ParserFaults } from './mutant.ts';

const isOn = (name: string, { extensions }: JsonObject): boolean =>
  isObject(extensions) && extensions[name] === true;

const isAnyOn = (request: JsonObject): boolean =>
  isObject(request['extensions']) && Object.values(request['extensions']).includes(true);

/** A fault in outputs of which no extension is on. */
const whenOff =
  (fault: AnswerFault): AnswerFault =>
  (request) =>
    isAnyOn(request) ? undefined : fault(request);

/** The tags of extensions. */
const tagForm = /<\/?(?:if|else|foreach|parallel|template)\b[^<>]*>/g;

/** A fault in the depths of thoughts. */
const depths = (edit: (depth: number) => number): AnswerFault =>
  emitsEach((event, request) =>
    isOf('thought', event) && isOn('sub_thoughts', request)
      ? { ...event, depth: edit(Number(event['depth'])) }
      : event,
  );

/** Behind an inner thought, text has the depth of this. */
function staysDeep(events: readonly Event[], request: JsonObject): readonly Event[] {
  if (!isOn('sub_thoughts', request)) return events;
  let depth = 0;
  return events.map((event) => {
    if (!isOf('thought', event)) return event;
    depth = Math.max(depth, Number(event['depth']));
    return { ...event, depth };
  });
}

/** A fault in the actions of templates: `edit` gets the action, and the text of the output. */
const made =
  (edit: (action: JsonObject, output: string) => JsonObject): AnswerFault =>
  (request) =>
    isOn('templates', request)
      ? emitsActions((action) => edit(action, outputOf(request)))(request)
      : undefined;

/** The number behind a name in a template. */
const numberOf = (name: string, output: string): number | undefined => {
  const found = new RegExp(`"${name}": (\\d+)\\}</template>`).exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** The mutants of extensions. */
export const extensionFaults: ParserFaults = {
  'always-blocks': whenOff((request) =>
    request['op'] === 'sep.parse'
      ? sepTestee({ ...request, extensions: switchesOf(['conditions', 'loops', 'groups', 'templates']) })
      : undefined,
  ),
  'drops-tags': whenOff(reads((output) => output.replaceAll(tagForm, ''))),
  'as-written': made((action) => ({ ...action, type: 'template' })),
  'template-first': made((action, output) => {
    const timeout = numberOf('timeout', output);
    return timeout === undefined ? action : { ...action, timeout };
  }),
  'one-depth': depths(() => 1),
  'depth-from-0': depths((depth) => depth - 1),
  'stays-deep': emits(staysDeep),
};
