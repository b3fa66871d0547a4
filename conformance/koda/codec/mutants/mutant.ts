/** Makes mutants of the reference codec: testees that are wrong in what they send, take or refuse. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults, faultyTestee, okAnswer, refusal } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, Faults, MakeFaulty, TesteeFault } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { decodeText, kodaTestee } from '../../../../src/koda/index.ts';
import type { KodaViolation } from '../../../../src/koda/index.ts';

const { faulty, okOf } = answerFaults(kodaTestee);

/** Faults by the ids of their mutants. */
export type CodecFaults = Faults<TesteeFault>;

/** Makes the reference codec with a fault. */
export const codecWith: MakeFaulty<TesteeFault> = faultyTestee(faulty, testeeOf);

/** Answers a text that the reference refuses as the text before it. */
export const answersAsBefore = (): AnswerFault => {
  let before: JsonObject | undefined;
  return (request) => {
    if (askedOf(request) === undefined) return undefined;
    const ok = okOf(request);
    if (ok !== undefined) before = ok;
    return ok === undefined && before !== undefined ? okAnswer(request, before) : undefined;
  };
};

/** Which of the two operations has the fault; absent: both. */
export type Op = 'koda.decode' | 'koda.encode';

/** A request of one of the operations. */
interface Asked {
  readonly kind: 'event' | 'command';
  readonly text: string;
}

/** The inputs of a request; undefined for other requests, or for the other operation. */
function askedOf({ op: asked, kind, text }: JsonObject, op?: Op): Asked | undefined {
  if (op === undefined ? asked !== 'koda.decode' && asked !== 'koda.encode' : asked !== op) return undefined;
  return (kind === 'event' || kind === 'command') && typeof text === 'string' ? { kind, text } : undefined;
}

/** Changes the text of every message that it sends. */
export const sends =
  (edit: (sent: string) => string, op?: Op): AnswerFault =>
  (request) => {
    const sent = askedOf(request, op) && okOf(request)?.['text'];
    const edited = typeof sent === 'string' ? edit(sent) : sent;
    return typeof edited !== 'string' || edited === sent ? undefined : okAnswer(request, { text: edited });
  };

/** Edits the args of a sent text. */
export const inArgs =
  (edit: (args: string) => string) =>
  (sent: string): string =>
    sent.replace(/(?<=^\{"type":"tool_call_start".*"args":).*(?=,"is_sub_agent")/s, edit);

/** Reads messages as if they had another text. */
export const readsAs =
  (edit: (text: string) => string): AnswerFault =>
  (request) => {
    const asked = askedOf(request);
    const text = asked === undefined || okOf(request) === undefined ? undefined : edit(asked.text);
    const ok = text === undefined || text === asked?.text ? undefined : okOf({ ...request, text });
    return ok && okAnswer(request, ok);
  };

/** Refuses messages that the reference takes. */
export const refuses =
  (isRefused: (text: string) => boolean, op?: Op): AnswerFault =>
  (request) => {
    const asked = askedOf(request, op);
    const isAffected = asked !== undefined && okOf(request) !== undefined && isRefused(asked.text);
    return isAffected ? refusal(request, 'bad-type') : undefined;
  };

/** Takes texts that the reference refuses, as if they had another text. An edit that changes nothing takes no text. */
export const takesAs =
  (edit: (text: string, violation: KodaViolation) => string, op?: Op): AnswerFault =>
  (request) => {
    const asked = askedOf(request, op);
    const decoded = asked && decodeText(asked.kind, asked.text);
    if (asked === undefined || decoded === undefined || decoded.ok) return undefined;
    const text = edit(asked.text, decoded.error);
    const ok = text === asked.text ? undefined : okOf({ ...request, text });
    return ok && okAnswer(request, ok);
  };

/** Takes texts that the reference refuses, and sends them as they came, or with an edit. */
export const echoes =
  (
    isTaken: (violation: KodaViolation, text: string) => boolean,
    op?: Op,
    edit: (text: string) => string = (text) => text,
  ): AnswerFault =>
  (request) => {
    const asked = askedOf(request, op);
    const decoded = asked && decodeText(asked.kind, asked.text);
    if (asked === undefined || decoded === undefined || decoded.ok) return undefined;
    return isTaken(decoded.error, asked.text) ? okAnswer(request, { text: edit(asked.text) }) : undefined;
  };

/** Words of a tag in snake_case, such as `text` and `delta`. */
const wordsOf = (tag: string): readonly string[] => tag.split('_');

/** A tag in PascalCase. */
export const pascal = (tag: string): string =>
  wordsOf(tag)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** A tag in camelCase. */
export const camel = (tag: string): string => tag.slice(0, 1) + pascal(tag).slice(1);

export const snake = (tag: string): string => tag.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
