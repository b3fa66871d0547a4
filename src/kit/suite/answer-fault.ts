/** Puts one fault between the reference of a testee and its requests. The fault edits a request or an answer. */
import { isObject } from '../base/index.ts';
import type { JsonObject } from '../base/index.ts';
import type { MakePeer } from './peer.ts';

export type Answer = (request: JsonObject) => JsonObject;

/** The faulty answer to a request; undefined when the reference answers. */
export type AnswerFault = (request: JsonObject) => JsonObject | undefined;

/** A successful answer. */
export const okAnswer = ({ id = null }: JsonObject, ok: JsonObject): JsonObject => ({ id, ok });

export const refusal = ({ id = null }: JsonObject, code: string, message: string = code): JsonObject => ({
  id,
  error: { code, message },
});

/** Makes faults of one reference. */
export interface AnswerFaults {
  /** The reference with a fault. */
  faulty(fault: AnswerFault): Answer;
  /** The reference's `ok`; undefined when it refuses. */
  okOf(request: JsonObject): JsonObject | undefined;
  /** The code of the reference's refusal; undefined when it does not refuse. */
  codeOf(request: JsonObject): string | undefined;
  /** A fault in the requests of an operation. `edit` gives the changed members; undefined: no change. */
  onRequest(op: string, edit: (request: JsonObject) => JsonObject | undefined): AnswerFault;
  /** A fault in the answers of an operation. `edit` gives another `ok`; undefined: no change. */
  onAnswer(op: string, edit: (ok: JsonObject, request: JsonObject) => JsonObject | undefined): AnswerFault;
}

/**
 * The faults of a reference.
 *
 * @example
 * const { onAnswer, faulty } = answerFaults(({ id = null, n }) => ({ id, ok: { double: Number(n) * 2 } }));
 * const offByOne = onAnswer('double', ({ double }) => ({ double: Number(double) + 1 }));
 * faulty(offByOne)({ id: 1, op: 'double', n: 4 }); // { id: 1, ok: { double: 9 } }
 */
export function answerFaults(reference: Answer): AnswerFaults {
  const okOf = (request: JsonObject): JsonObject | undefined => {
    const { ok } = reference(request);
    return isObject(ok) ? ok : undefined;
  };
  return {
    okOf,
    faulty: (fault) => (request) => fault(request) ?? reference(request),
    codeOf(request) {
      const { error } = reference(request);
      const code = isObject(error) ? error['code'] : undefined;
      return typeof code === 'string' ? code : undefined;
    },
    onRequest: (op, edit) => (request) => {
      const edited = request['op'] === op ? edit(request) : undefined;
      return edited && reference({ ...request, ...edited });
    },
    onAnswer: (op, edit) => (request) => {
      const ok = request['op'] === op ? okOf(request) : undefined;
      const edited = ok && edit(ok, request);
      return edited && okAnswer(request, edited);
    },
  };
}

/** A fault of a testee: of each request alone, or one that remembers requests and is made anew for each run. */
export type TesteeFault = AnswerFault | { readonly ofRun: () => AnswerFault };

/**
 * Makes testees with a fault.
 *
 * @param faulty - the reference with a fault
 * @param testee - makes a testee of answers
 */
export const faultyTestee =
  (faulty: AnswerFaults['faulty'], testee: (answer: Answer) => MakePeer) =>
  (fault: TesteeFault): (() => MakePeer) =>
  () =>
    testee(faulty(typeof fault === 'function' ? fault : fault.ofRun()));
