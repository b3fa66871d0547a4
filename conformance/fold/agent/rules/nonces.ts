/** FOLD-A18 in plain words: an answer has no nonce of a message of another thread that is active at the same time. */
import { exercised, forgetOldest, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Request, Session } from '../../../../src/fold/index.ts';
import type { FoldView } from '../view.ts';
import { responseOf, serverMessage } from '../view.ts';

/** The form of a scenario's `nonce`. */
const nonceForm = /\bn[0-9a-f]{8}\b/;
const nonceLength = 9;
/** The most requests whose nonces are kept. */
const noncesKept = 1024;

interface Nonces {
  /** By stream and request. */
  readonly known: Map<string, string>;
  /** Requests that were answered while another request with a nonce was active, by stream and id. */
  readonly together: Set<string>;
}

const noMerging = rule({
  requirement: 'FOLD-A18',
  listens: ['send_message', 'response.text', 'response.done'],
  start: (): Nonces => ({ known: new Map(), together: new Set() }),
  step(state, event, view: FoldView): Findings {
    if (event.from !== 'target') return noteNonce(state, event);
    const session = view.stream?.session;
    const { request } = view;
    // Most texts answer a directive.
    if (request === undefined || request.steps !== undefined) return undefined;
    if (state.known.size === 0 || session === undefined) return undefined;
    const { done, text = done?.full_response ?? '' } = responseOf(event);
    const key = `${event.stream} ${request.id}`;
    const own = state.known.get(key);
    for (const [other, nonce] of othersOf(state, event.stream, request, session)) {
      if (own !== undefined) state.together.add(key);
      if (nonce === own || !completes(nonce, done === undefined ? request.text : '', text)) continue;
      const message = `expected each request's own answer; the answer to ${request.id} has ${nonce}, a word of request ${other.id}`;
      return violated(event, message, [request.seq, other.seq]);
    }
    if (done === undefined || own === undefined) return undefined;
    const said = request.text?.includes(own) === true || text.includes(own);
    return state.together.delete(key) && said ? exercised(event) : undefined;
  },
});

function noteNonce({ known, together }: Nonces, event: TraceEvent): undefined {
  const { request_id = '', content = '' } = serverMessage(event).send_message ?? {};
  const [nonce] = content.length > 4096 ? [] : (nonceForm.exec(content) ?? []);
  if (nonce === undefined) return;
  known.set(`${event.stream} ${request_id}`, nonce);
  forgetOldest(known, noncesKept);
  if (together.size > noncesKept) together.clear();
}

/** The active requests of other threads, with their nonces. Answers of one thread may repeat its history. */
function othersOf(
  { known }: Nonces,
  stream: string,
  request: Request,
  { active }: Session,
): [Request, string][] {
  return [...active.values()].flatMap((other): [Request, string][] => {
    const nonce = known.get(`${stream} ${other.id}`);
    const apart = other !== request && other.thread !== '' && other.thread !== request.thread;
    return apart && nonce !== undefined ? [[other, nonce]] : [];
  });
}

/** Whether a text, joined to the texts before it, completes a nonce. */
const completes = (nonce: string, before: string | undefined, text: string): boolean =>
  ((before ?? '').slice(1 - nonceLength) + text).includes(nonce);

export const nonceRules: readonly Rule<FoldView>[] = [noMerging];
