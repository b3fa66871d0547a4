/** "A maximum of 4 blocks with cache_control": of the tools, the system text and the messages together. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray, present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';

const mostMarks = 4;

/** Refuses a body with too many blocks that have `cache_control`. */
export function checkCacheMarks(reader: BodyReader, { tools, system, messages }: JsonObject): void {
  const contents = (isArray(messages) ? messages : []).map(contentOf);
  const found = [tools, system, ...contents].map(marksIn).reduce((sum, marks) => sum + marks, 0);
  if (found > mostMarks)
    reader.refuse('', `A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${found}.`);
}

const contentOf = (value: Json | undefined): Json | undefined =>
  isObject(value) ? value['content'] : undefined;

/** The marks of blocks in a list, and of blocks in their results. */
function marksIn(list: Json | undefined): number {
  if (!isArray(list)) return 0;
  let count = 0;
  for (const block of list) {
    if (!isObject(block)) continue;
    if (present(block['cache_control'])) count++;
    if (block['type'] === 'tool_result') count += marksIn(block['content']);
  }
  return count;
}
