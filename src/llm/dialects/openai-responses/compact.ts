/** `POST /v1/responses/compact`: all messages of the user, and one item that stands for the rest (openai 7.59, CompactedResponse). */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { inputText } from './part-types.ts';
import { itemsOf } from './socket-memory.ts';
import { responsesUsage, writeUsage } from '../openai/usage.ts';
import type { Tokenizer } from '../shared/tokenizer.ts';

/** The tokens of the item: as many as the simulated provider says, whatever is in it. */
const itemTokens = 16;

/** The time of all simulated answers that have no request of the script (Unix s). */
const createdAt = 1_767_225_600;

/** Compacts the input of a request. What is not a message of the user is in the item, and cannot be read. */
export function compacted(body: Json | undefined, _model: string, tokenizer: Tokenizer): JsonObject {
  const input = itemsOf(isObject(body) ? body['input'] : undefined);
  const rest = input.filter((item) => !isUserMessage(item));
  const inputTokens = tokenizer.count(JSON.stringify(input));
  return {
    id: 'resp_compacted',
    object: 'response.compaction',
    created_at: createdAt,
    output: [
      ...input.filter(isUserMessage).map((item, i) => messageItem(item, i)),
      {
        id: 'cmp_1',
        type: 'compaction',
        encrypted_content: Buffer.from(`${rest.length} items`).toString('base64'),
      },
    ],
    usage: writeUsage({ inputTokens, outputTokens: itemTokens }, responsesUsage),
  };
}

const isUserMessage = (item: Json): item is JsonObject =>
  isObject(item) && (item['type'] ?? 'message') === 'message' && item['role'] === 'user';

/** A message as an item of a response has it: with an id, a status, and a list as its content. */
const messageItem = ({ content = '' }: JsonObject, i: number): JsonObject => ({
  id: `msg_${i + 1}`,
  type: 'message',
  status: 'completed',
  role: 'user',
  content: isArray(content) ? content : [inputText(content)],
});
