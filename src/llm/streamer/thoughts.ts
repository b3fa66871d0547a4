/**
 * The thoughts that this provider gave next to calls. Anthropic wants them back unmodified with the results, while `thinking`
 * is enabled: a signature shows that the provider wrote a thought. Only answers of this run are known. A call that it did not
 * make may come from an earlier run, or from another provider: then nothing is checked.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { thinks } from '../dialects/anthropic/thinking.ts';
import { isArray, textIn } from '../dialects/shared/body-reader.ts';
import type { GeneratedBlock, Refused, RenderContext } from '../messages.ts';
import { hash } from './conversations.ts';

/** A thought that was given. Its text is kept as a hash. */
interface GivenThought {
  readonly text: string;
  readonly redacted: string | undefined;
  /** Absent until it is sent, where the script names none. */
  signature: string | undefined;
}

/** The thoughts of answers, by the ids of their calls. */
export type GivenThoughts = Map<string, readonly GivenThought[]>;

/** Most calls whose thoughts are kept; the oldest are forgotten. */
const mostCalls = 1000;

/** The prefix of signatures that the provider makes up. */
const signaturePrefix = 'sig_';

const hashOf = (text: string): string => `${text.length} ${hash(text, 3)}`;

/**
 * Keeps the thoughts of an answer with calls.
 *
 * @returns a maker of ids, which notes the signatures that the provider makes up
 */
export function keepThoughts(
  given: GivenThoughts,
  blocks: readonly GeneratedBlock[],
  id: RenderContext['id'],
): RenderContext['id'] {
  const calls = blocks.flatMap((block) => (block.kind === 'tool_call' && block.complete ? [block.id] : []));
  const thoughts = blocks.flatMap((block): GivenThought[] =>
    block.kind === 'thinking'
      ? [{ text: hashOf(block.text), redacted: block.redacted, signature: block.signature }]
      : [],
  );
  if (calls.length === 0 || thoughts.length === 0) return id;
  for (const call of calls) given.set(call, thoughts);
  for (const oldest of given.keys()) if (given.size > mostCalls) given.delete(oldest);
  return (prefix) => {
    const made = id(prefix);
    const next = thoughts.find(
      ({ signature, redacted }) => signature === undefined && redacted === undefined,
    );
    if (prefix === signaturePrefix && next !== undefined) next.signature = made;
    return made;
  };
}

/** A block of the assistant in a request, and its place. */
interface SentBlock {
  readonly block: JsonObject;
  readonly path: string;
}

/** Why a request is refused whose thoughts are not those that were given. */
export function thoughtFault(given: GivenThoughts, body: Json): Refused | undefined {
  if (given.size === 0 || !isObject(body) || !thinks(body) || !isArray(body['messages'])) return undefined;
  const turns = assistantTurns(body['messages']);
  // Results come after the last calls: the model goes on thinking.
  const isLoop = roleOf(body['messages'].at(-1)) === 'user';
  for (const [i, blocks] of turns.entries()) {
    const isLast = isLoop && i === turns.length - 1;
    const thoughts = blocks
      .map(({ block }) => given.get(textIn(block['id'])))
      .find((one) => one !== undefined);
    const fault =
      thoughts && (forgedIn(blocks, thoughts) ?? (isLast ? changedIn(blocks, thoughts) : undefined));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const roleOf = (message: Json | undefined): unknown => (isObject(message) ? message['role'] : undefined);

/** The blocks of the assistant's messages; messages in a row are one turn. */
function assistantTurns(messages: readonly Json[]): readonly (readonly SentBlock[])[] {
  const turns: SentBlock[][] = [];
  for (const [i, message] of messages.entries()) {
    if (!isObject(message) || message['role'] !== 'assistant') continue;
    const { content } = message;
    const blocks = (isArray(content) ? content : []).flatMap((block, n): SentBlock[] =>
      isObject(block) ? [{ block, path: `messages.${i}.content.${n}` }] : [],
    );
    const before = roleOf(messages[i - 1]) === 'assistant' ? turns.at(-1) : undefined;
    if (before === undefined) turns.push(blocks);
    else before.push(...blocks);
  }
  return turns;
}

const isThought = ({ block }: SentBlock): boolean =>
  block['type'] === 'thinking' || block['type'] === 'redacted_thinking';

/** A signature that the provider did not give with these calls. */
function forgedIn(blocks: readonly SentBlock[], thoughts: readonly GivenThought[]): Refused | undefined {
  const forged = blocks.find(
    ({ block }) =>
      block['type'] === 'thinking' && !thoughts.some(({ signature }) => signature === block['signature']),
  );
  return forged && refusal(forged.path, 'Invalid `signature` in `thinking` block');
}

/** Thoughts that are missing, changed, or in another order. */
function changedIn(blocks: readonly SentBlock[], thoughts: readonly GivenThought[]): Refused | undefined {
  const [first] = blocks;
  if (first === undefined) return undefined;
  if (!isThought(first)) return refusal(`${first.path}.type`, missingWords(textIn(first.block['type'])));
  const sent = blocks.filter(isThought);
  const at = thoughts.findIndex((thought, i) => !isSame(sent[i]?.block, thought));
  if (at < 0 && sent.length === thoughts.length) return undefined;
  return refusal((sent[at] ?? sent.at(-1) ?? first).path, changedWords);
}

const isSame = (block: JsonObject | undefined, { text, redacted, signature }: GivenThought): boolean =>
  redacted === undefined
    ? block?.['signature'] === signature && hashOf(textIn(block?.['thinking'])) === text
    : block?.['data'] === redacted;

const changedWords =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
  'These blocks must remain as they were in the original response.';

const missingWords = (found: string): string =>
  `Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final ` +
  '`assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` ' +
  'blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. ' +
  'Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking';

const refusal = (place: string, words: string): Refused => ({
  path: place.replaceAll(/\.(\d+)/g, '[$1]').replace(/\.type$/, ''),
  error: { type: 'invalid_request', status: 400, message: `${place}: ${words}` },
});
