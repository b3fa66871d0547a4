/**
 * Notes on a script that plays what no model of the provider would do: it calls a tool that the request does not offer, or
 * not so, or breaks a schema that the request makes strict. The script is played all the same, as a test may want just that.
 */
import { isObject, misfitOf } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { isJsonObject, parseJson } from '../dialects/shared/arguments.ts';
import { isArray, textIn } from '../dialects/shared/body-reader.ts';
import type { GeneratedBlock, LlmRequest } from '../messages.ts';

/** Most tools that a note names. */
const mostNamed = 10;

/** The notes on the calls of an answer, as a field of a report. `body`: the request as it came, where there is one. */
export function notesOf(
  request: LlmRequest,
  blocks: readonly GeneratedBlock[],
  body?: Json,
): { readonly notes?: readonly string[] } {
  const calls = blocks.filter((block) => block.kind === 'tool_call' && block.complete);
  const offered = calls.length === 0 ? undefined : offeredNames(request, body);
  const notes = calls.flatMap((block) => {
    if (block.kind !== 'tool_call') return [];
    const strange =
      offered === undefined || offered.has(block.name) ? undefined : strangeTool(block.name, offered);
    return [strange ?? strictMisfit(request, block)].filter((note) => note !== undefined);
  });
  return notes.length === 0 ? {} : { notes };
}

/** The names of all tools of a request. Undefined where a server names further ones (MCP). */
function offeredNames({ tools }: LlmRequest, body: Json | undefined): ReadonlySet<string> | undefined {
  const names = new Set(tools.map(({ name }) => name));
  if (!isObject(body)) return names;
  if ('mcp_servers' in body) return undefined;
  for (const tool of isArray(body['tools']) ? body['tools'] : []) {
    if (!isObject(tool)) continue;
    if (textIn(tool['type']).startsWith('mcp')) return undefined;
    // Tools that the provider describes itself have a name of their own, such as `bash`.
    const name = tool['name'] ?? (isObject(tool['function']) ? tool['function']['name'] : undefined);
    if (typeof name === 'string') names.add(name);
  }
  return names;
}

function strangeTool(name: string, offered: ReadonlySet<string>): string {
  const some = [...offered].slice(0, mostNamed).join(', ');
  const more = offered.size > mostNamed ? ', …' : '';
  return `the script calls ${name}; the request offers ${offered.size === 0 ? 'no tools' : `${some}${more}`}`;
}

const otherKind = (name: string, isCustom: boolean): string =>
  isCustom
    ? `the script calls ${name} as a custom tool; the request offers it as a function`
    : `the script calls ${name} as a function; the request offers it as a custom tool`;

function strictMisfit(
  { tools }: LlmRequest,
  { name, text, custom }: Extract<GeneratedBlock, { kind: 'tool_call' }>,
): string | undefined {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined && tool.custom !== custom) return otherKind(name, custom === true);
  if (tool?.strict !== true) return undefined;
  const input = parseJson(text);
  const misfit = isJsonObject(input)
    ? misfitOf(tool.inputSchema, input satisfies JsonObject)
    : 'expected a JSON object';
  return misfit && `the script's call of ${name} breaks its strict schema: ${misfit}`;
}
