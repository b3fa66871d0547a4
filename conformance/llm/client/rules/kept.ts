/** The rules about blocks, items and parts of the provider's own: the next request has them as they came. */
import { clip, isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { isSound } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { ownPart, wholeForm } from '../own-blocks.ts';
import { isChecked, wholeDetails } from '../own-thoughts.ts';
import { isWhole } from '../reading.ts';
import { continuesAnswer } from '../requests.ts';
import type { ClientView } from '../view.ts';
import { onRequest } from './requests.ts';
import type { FollowingRequest } from './requests.ts';

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  isArray(value) ? value.flatMap((one): readonly JsonObject[] => (isObject(one) ? [one] : [])) : [];
const member = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) ? value[name] : undefined;

/** The most characters of a block in a message. */
const mostQuoted = 120;

/**
 * Whether a copy has everything that the original says. It may have more members, such as `cache_control`, and lack those that
 * are null.
 */
function covers(copy: Json | undefined, original: Json | undefined, depth = 64): boolean {
  if (copy === original || original === null) return true;
  if (depth === 0) return false;
  if (isArray(original))
    return (
      isArray(copy) &&
      copy.length === original.length &&
      original.every((one, i) => covers(copy[i], one, depth - 1))
    );
  return (
    isObject(original) &&
    isObject(copy) &&
    Object.entries(original).every(([name, value]) => covers(copy[name], value, depth - 1))
  );
}

/** Whether a sent block is one that came. */
type Same = (sent: JsonObject, came: JsonObject) => boolean;

/** Members of Anthropic's blocks that say nothing to the model. */
const sameBlock: Same = (sent, came) => {
  const { caller: _, ...said } = came;
  return covers(sent, said);
};

/** An item is known by its id, or by its encrypted content, and what the provider has to recognize is unchanged. */
const sameItem: Same = (sent, { type, id, encrypted_content: encrypted = null, fingerprint = null }) => {
  if (sent['type'] === 'item_reference') return sent['id'] === id;
  if (sent['type'] !== type || !covers(sent['fingerprint'], fingerprint)) return false;
  return encrypted === null ? sent['id'] === id : sent['encrypted_content'] === encrypted;
};

/** The signature of a part is judged where the provider refuses its absence (LLM-C08). */
const samePart: Same = (sent, came) => {
  const name = ownPart(came) ?? '';
  return covers(sent[name], came[name]);
};

/** The first block that is not among the sent ones, behind the one before it. */
function lostOf(
  owed: readonly JsonObject[],
  sent: readonly JsonObject[],
  same: Same,
): JsonObject | undefined {
  let at = 0;
  for (const one of owed) {
    const found = sent.findIndex((block, i) => i >= at && same(block, one));
    if (found < 0) return one;
    at = found + 1;
  }
  return undefined;
}

const typeOf = (form: JsonObject): string =>
  typeof form['type'] === 'string' ? form['type'] : (ownPart(form) ?? 'a part');

function findings(
  owed: readonly JsonObject[],
  sent: readonly JsonObject[],
  same: Same,
  event: TraceEvent,
  { seq }: Exchange,
): Findings {
  if (owed.length === 0) return undefined;
  const lost = lostOf(owed, sent, same);
  if (lost === undefined) return exercised(event);
  const words = `expected ${typeOf(lost)} to be sent back as it came, in its place; it was not: `;
  return violated(event, words + clip(JSON.stringify(lost), mostQuoted), [seq]);
}

/** The assistant's blocks in a request of Anthropic's. */
const blocksIn = (body: Json | undefined): readonly JsonObject[] =>
  listOf(member(body, 'messages'))
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => listOf(content));

const isCompaction = ({ type }: JsonObject): boolean => type === 'compaction';

const formsOf = ({ own }: Exchange): readonly JsonObject[] => own.map(wholeForm);

/** Whether a request turned compaction on: an edit of `context_management`, which is beta. */
const compacts = ({ body }: Exchange): boolean =>
  listOf(member(member(body, 'context_management'), 'edits')).some(
    ({ type }) => typeof type === 'string' && type.startsWith('compact_'),
  );

/** LLM-C55: the answer that paused comes back, and so does the last compaction that a request asked for. */
function judgePaused({ dialect, body, before, last }: FollowingRequest, event: TraceEvent): Findings {
  if (dialect !== 'anthropic' || last === undefined) return undefined;
  const paused =
    last.answered?.stop === 'pause_turn' && isSound(last)
      ? formsOf(last).filter((b) => !isCompaction(b))
      : [];
  const compacted = before.findLast((one) => compacts(one) && formsOf(one).some(isCompaction));
  const goesOn = compacted?.answered && body && continuesAnswer(dialect, body, [compacted.answered]);
  const block = goesOn ? formsOf(compacted).findLast(isCompaction) : undefined;
  const sent = blocksIn(body);
  const lost = block && findings([block], sent, sameBlock, event, last);
  return lost ?? findings(paused, sent, sameBlock, event, last);
}

/** The answer whose calls a request answers. */
function answeredNow({ dialect, body, last }: FollowingRequest): Exchange | undefined {
  const { answered } = last ?? {};
  if (answered === undefined || answered.calls.length === 0 || body === undefined) return undefined;
  return continuesAnswer(dialect, body, [answered]) ? last : undefined;
}

/** LLM-C56: the blocks of Anthropic's tools come back with the results of the client's calls. LLM-C14 has the thoughts. */
function judgeBlocks(next: FollowingRequest, event: TraceEvent): Findings {
  const last = next.dialect === 'anthropic' ? answeredNow(next) : undefined;
  if (last === undefined) return undefined;
  const owed = formsOf(last).filter(
    (one) => !isCompaction(one) && one['type'] !== 'thinking' && one['type'] !== 'redacted_thinking',
  );
  return findings(owed, blocksIn(next.body), sameBlock, event, last);
}

/** The items of a request of Responses. Undefined where the provider has the earlier ones. */
function itemsIn({ dialect, body }: FollowingRequest): readonly JsonObject[] | undefined {
  if (dialect !== 'openai-responses') return undefined;
  const kept = member(body, 'previous_response_id') ?? member(body, 'conversation') ?? null;
  return kept === null ? listOf(member(body, 'input')) : undefined;
}

/** LLM-C57: thoughts come back, where they can be read without the provider's store. */
function judgeReasoning(next: FollowingRequest, event: TraceEvent): Findings {
  const last = answeredNow(next);
  const sent = itemsIn(next);
  if (last === undefined || sent === undefined) return undefined;
  const owed = formsOf(last).filter(
    ({ type, encrypted_content: encrypted }) => type === 'reasoning' && typeof encrypted === 'string',
  );
  return findings(owed, sent, sameItem, event, last);
}

/** LLM-C58: further items come back, from the last compaction on: "you can drop items that came before" it. */
function judgeItems(next: FollowingRequest, event: TraceEvent): Findings {
  const last = answeredNow(next);
  const sent = itemsIn(next);
  if (last === undefined || sent === undefined) return undefined;
  const items = formsOf(last).filter(({ type }) => type !== 'reasoning');
  const from = items.findLastIndex(isCompaction);
  return findings(items.slice(Math.max(from, 0)), sent, sameItem, event, last);
}

/** LLM-C59: calls of Gemini's tools, and code with its result, come back. */
function judgeParts(next: FollowingRequest, event: TraceEvent): Findings {
  const last = next.dialect === 'gemini' ? answeredNow(next) : undefined;
  if (last === undefined) return undefined;
  const sent = listOf(member(next.body, 'contents')).flatMap(({ parts }) => listOf(parts));
  return findings(formsOf(last), sent, samePart, event, last);
}

/**
 * A thought is known by its signature, or by its encrypted text. "The entire sequence of consecutive reasoning blocks must match"
 * (OpenRouter API: Reasoning Tokens, Preserving reasoning). A part without either shows the provider nothing.
 */
const sameDetail: Same = (sent, { type, text = null, signature = null, data = null }) =>
  sent['type'] === type && covers(sent, { text, signature, data });

const isKnown = ({ signature = null, data = null }: JsonObject): boolean =>
  signature !== null || data !== null;

/** The answer whose calls a request answers, where all of them are whole: a client that goes on after a limit has words of its own. */
function wholeNow(next: FollowingRequest): Exchange | undefined {
  const last = answeredNow(next);
  return last !== undefined && isWhole(last) ? last : undefined;
}

/** LLM-C52: the thoughts of OpenRouter come back with the results of the client's calls. */
function judgeDetails(next: FollowingRequest, event: TraceEvent): Findings {
  const last = next.dialect === 'openai-chat' ? wholeNow(next) : undefined;
  if (last === undefined) return undefined;
  const sent = listOf(member(next.body, 'messages'))
    .filter(({ role }) => role === 'assistant')
    .flatMap((message) => wholeDetails(listOf(message['reasoning_details'])));
  return findings(formsOf(last).filter(isKnown), sent, sameDetail, event, last);
}

const sameReasoning: Same = (sent, came) => covers(sent['reasoningContent'], came['reasoningContent']);

/** LLM-C53: the thoughts of Bedrock come back with the results of the client's calls. */
function judgeReasoningContent(next: FollowingRequest, event: TraceEvent): Findings {
  const last = next.dialect === 'bedrock' ? wholeNow(next) : undefined;
  if (last === undefined) return undefined;
  return findings(formsOf(last).filter(isChecked), blocksIn(next.body), sameReasoning, event, last);
}

export const keptRules: readonly Rule<ClientView>[] = [
  onRequest('LLM-C52', judgeDetails),
  onRequest('LLM-C53', judgeReasoningContent),
  onRequest('LLM-C55', judgePaused),
  onRequest('LLM-C56', judgeBlocks),
  onRequest('LLM-C57', judgeReasoning),
  onRequest('LLM-C58', judgeItems),
  onRequest('LLM-C59', judgeParts),
];
