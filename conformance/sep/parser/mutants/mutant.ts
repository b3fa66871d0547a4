/** Makes mutant parsers: the reference testee with one fault in the output that it reads, or in its events. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults, faultyTestee } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, MakeFaulty } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { sepTestee } from '../../../../src/sep/index.ts';
import { coalesced } from '../events.ts';
import { outputOf } from '../memory.ts';

const op = 'sep.parse';
const faults = answerFaults(sepTestee);

/** Faults by the ids of their mutants. */
export interface ParserFaults {
  readonly [id: string]: AnswerFault;
}

/** Makes the reference parser with a fault. */
export const parserWith: MakeFaulty<AnswerFault> = faultyTestee(faults.faulty, testeeOf);

/** A fault in the reading: it reads another output. */
export const reads =
  (edit: (output: string, request: JsonObject) => string): AnswerFault =>
  (request) => {
    if (request['op'] !== op) return undefined;
    const { bytes: _, ...others } = request;
    return sepTestee({ ...others, chunks: [edit(outputOf(request), request)] });
  };

/** An event of an answer. */
export type Event = JsonObject;

/** The reference's events of an output. */
export const eventsOf = (output: string): readonly Event[] =>
  eventsIn(faults.okOf({ id: 0, op, chunks: [output] }) ?? {});

const eventsIn = (ok: JsonObject): readonly Event[] =>
  coalesced(ok).filter((one): one is Event => isObject(one));

/** A fault in the events. */
export const emits = (
  edit: (events: readonly Event[], request: JsonObject) => readonly Event[],
): AnswerFault =>
  faults.onAnswer(op, (ok, request) => ({ ...ok, events: [...edit(eventsIn(ok), request)] as Json[] }));

/** A fault in each event: another one, several, or none. */
export const emitsEach = (
  edit: (event: Event, request: JsonObject) => Event | readonly Event[],
): AnswerFault => emits((events, request) => events.flatMap((event) => edit(event, request)));

/** A fault in the texts of a kind of events. */
export const emitsTexts = (kind: string, edit: (text: string) => string): AnswerFault =>
  emitsEach((event) => (isOf(kind, event) ? { ...event, text: edit(textAt(event, 'text')) } : event));

/** A fault in the actions: another one, or none. */
export const emitsActions = (edit: (action: JsonObject) => JsonObject | undefined): AnswerFault =>
  emitsEach((event) => {
    const { action } = event;
    if (!isObject(action)) return event;
    const edited = edit(action);
    return edited === undefined ? [] : { ...event, action: edited };
  });

/** A parser that says nothing about some faults of the output. */
export const silentAbout = (...codes: readonly string[]): AnswerFault =>
  emitsEach((event) =>
    event['type'] === 'diagnostic' && codes.includes(textAt(event, 'code')) ? [] : event,
  );

/** Whether an event is of a kind. */
export const isOf = (kind: string, { type }: Event): boolean => type === kind;

/** Stands for a less-than sign that the reference must not see. */
export const hidden = '\uE03C';

/** A fault in the reading, after which hidden less-than signs are text again. */
export const readsAs =
  (edit: (output: string) => string): AnswerFault =>
  (request) =>
    request['op'] === op
      ? { id: request['id'] ?? null, ok: { events: eventsOf(edit(outputOf(request))).map(shown) } }
      : undefined;

const shown = (event: Event): Event =>
  typeof event['text'] === 'string' ? { ...event, text: event['text'].replaceAll(hidden, '<') } : event;

/** The text under a name; '' when there is none. */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}
