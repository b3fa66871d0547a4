/** The rules about Gemini's Interactions: LLM-C46. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { ClientView } from '../view.ts';
import { onRequest } from './requests.ts';
import type { FollowingRequest } from './requests.ts';

/** LLM-C46: a request that contains a call of an answer contains the signatures of the thoughts of this answer. */
function judgeSignatures({ dialect, body, before, last }: FollowingRequest, event: TraceEvent): Findings {
  if (dialect !== 'gemini-interactions' || !isObject(body)) return undefined;
  const steps = isArray(body['input']) ? body['input'].filter((step) => isObject(step)) : [];
  const calls = new Set(steps.flatMap(({ type, id }) => (type === 'function_call' ? [id] : [])));
  const signatures = before
    .filter(({ answered }) => answered?.calls.some(({ id }) => calls.has(id)))
    .flatMap(({ thoughts }) => thoughts.map(({ signature }) => signature))
    .filter((signature) => signature !== '');
  if (signatures.length === 0) return undefined;
  const lost = signatures.find(
    (signature) => !steps.some((step) => step['type'] === 'thought' && step['signature'] === signature),
  );
  if (lost === undefined) return exercised(event);
  const message = `expected a thought with the signature ${lost.slice(0, 40)} beside its call; it was not sent back`;
  return violated(event, message, last === undefined ? [] : [last.seq]);
}

export const interactionRules: readonly Rule<ClientView>[] = [onRequest('LLM-C46', judgeSignatures)];
