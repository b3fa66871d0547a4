/**
 * Calls of the provider's own tools in a conversation, and their results (Anthropic API: Handling stop reasons, tool_use). A
 * result has its call before it. A call may have no result while its turn is open: while results of the client's own calls,
 * and nothing else, follow it.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';

const blocksOf = (message: Json | undefined): readonly JsonObject[] => {
  const content = isObject(message) ? message['content'] : undefined;
  return isArray(content)
    ? content.flatMap((block): readonly JsonObject[] => (isObject(block) ? [block] : []))
    : [];
};

const isOf = (message: Json | undefined, role: string): boolean =>
  isObject(message) && message['role'] === role;

/** Results of MCP servers belong to other calls, which this does not check. */
const isResult = (type: string): boolean => type.endsWith('_tool_result') && type !== 'mcp_tool_result';

/** Whether a message of the user leaves the turn before it open. */
const leavesOpen = (message: Json): boolean => {
  const blocks = blocksOf(message);
  return blocks.length > 0 && blocks.every(({ type }) => type === 'tool_result');
};

/** Refuses results without their calls, and calls without results in a turn that is over. */
export function checkServerTools(reader: BodyReader, messages: readonly Json[]): void {
  /** The calls without a result, by id, with the message and the tool. */
  const open = new Map<string, { readonly at: number; readonly name: string }>();
  const called = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (isOf(message, 'assistant')) {
      for (const [n, block] of blocksOf(message).entries()) {
        const type = textIn(block['type']);
        const id = textIn(block[type === 'server_tool_use' ? 'id' : 'tool_use_id']);
        if (type === 'server_tool_use') {
          called.add(id);
          open.set(id, { at: i, name: textIn(block['name']) });
        } else if (isResult(type)) {
          if (!called.has(id)) refuseResult(reader, `messages[${i}].content[${n}]`, type, id);
          open.delete(id);
        }
      }
    } else if (isOf(message, 'user') && !leavesOpen(message)) {
      const [first] = open;
      if (first !== undefined) refuseCall(reader, ...first);
    }
  }
}

function refuseResult(reader: BodyReader, path: string, type: string, id: string): void {
  reader.refuse(
    path,
    `unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. ` +
      `Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`,
  );
}

function refuseCall(
  reader: BodyReader,
  id: string,
  { at, name }: { readonly at: number; readonly name: string },
): void {
  reader.refuse(
    `messages[${at}]`,
    `\`${name}\` tool use with id \`${id}\` was found without a corresponding \`${name}_tool_result\` block`,
  );
}
