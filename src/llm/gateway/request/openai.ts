/** What the two APIs of OpenAI share: tools, the choice among them, and effort. Chat wraps a function; Responses has it flat. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { levelOf, openaiEfforts } from './effort.ts';
import { given, Members } from './members.ts';
import type { Choice, Effort, Tool } from './request.ts';
import type { Writing } from './writing.ts';

/** How an API writes a function. */
export type ToolForm = 'wrapped' | 'flat';

/** Tools that are no functions stay as they came. Their type may be absent in Chat: compatible servers take that. */
export function readTools(members: Members, form: ToolForm): readonly Tool[] {
  const list = members.list('tools') ?? [];
  const read = list.map((value) => ({ value, tool: readTool(new Members(value), form) }));
  const others = read.filter(({ tool }) => tool === undefined).map(({ value }) => value);
  if (others.length > 0) members.leave('tools', others);
  return read.flatMap(({ tool }) => tool ?? []);
}

function readTool(tool: Members, form: ToolForm): Tool | undefined {
  const type = tool.text('type') ?? (form === 'wrapped' ? 'function' : undefined);
  const made = form === 'wrapped' ? tool.members('function') : tool;
  const name = made.text('name');
  if (type !== 'function' || name === undefined) return undefined;
  return given({
    name,
    description: made.text('description'),
    // "Omitting parameters defines a function with an empty parameter list."
    schema: made.object('parameters') ?? {},
    strict: made.flag('strict'),
    ...tool.more(),
  });
}

/** Writes the tools; undefined where there are none. */
export function writeTools(writing: Writing, form: ToolForm): readonly JsonObject[] | undefined {
  const { tools } = writing.request;
  return tools.length === 0 ? undefined : tools.map((tool) => writeTool(writing, tool, form));
}

/**
 * Writes one tool. Responses makes a tool strict unless told otherwise, and then refuses schemas that are not closed: only its
 * own client may leave that out.
 */
export function writeTool(writing: Writing, tool: Tool, form: ToolForm): JsonObject {
  const { description, schema: parameters } = tool;
  const strict = form === 'flat' && !writing.own ? (tool.strict ?? false) : tool.strict;
  const made = given({ name: writing.name(tool.name), description, parameters, strict });
  return writing.more(
    form === 'flat' ? { type: 'function', ...made } : { type: 'function', function: made },
    tool,
  );
}

const choiceOf = { auto: 'auto', required: 'must', none: 'none' } as const;
const wordOf = { auto: 'auto', must: 'required', none: 'none' } as const;

/** Choices among other tools than functions stay as they came. */
export function readChoice(members: Members, form: ToolForm): Choice | undefined {
  const word = members.word('tool_choice', ['auto', 'required', 'none']);
  if (word !== undefined) return choiceOf[word];
  const value = members.peek('tool_choice');
  if (!isObject(value) || value['type'] !== 'function') return undefined;
  const choice = members.members('tool_choice');
  choice.text('type');
  const name = (form === 'wrapped' ? choice.members('function') : choice).text('name');
  if (name !== undefined) return { name };
  choice.leave('type', 'function');
  return undefined;
}

/** Writes the choice and the wish for one call at a time. The APIs take both only beside tools. */
export function writeChoice(writing: Writing, form: ToolForm): JsonObject {
  const { choice, parallel, tools } = writing.request;
  if (tools.length === 0 && !writing.own) {
    writing.loseGiven('choice', 'parallel');
    return {};
  }
  return given({ tool_choice: writeChoiceWord(writing, choice, form), parallel_tool_calls: parallel });
}

function writeChoiceWord(writing: Writing, choice: Choice | undefined, form: ToolForm): Json | undefined {
  if (typeof choice !== 'object') return choice === undefined ? undefined : wordOf[choice];
  const made = { name: writing.name(choice.name) };
  return form === 'flat' ? { type: 'function', ...made } : { type: 'function', function: made };
}

export function readEffort(members: Members, key: string): Effort | undefined {
  const word = members.word(key, openaiEfforts);
  return word === 'none' ? 'off' : word;
}

/** A budget and the model's own choice become a level. */
export function writeEffort(writing: Writing): string | undefined {
  const { effort } = writing.request;
  if (effort === undefined) return undefined;
  const level = levelOf(effort);
  if (level !== effort) writing.lose('effort', level);
  return level === 'off' ? 'none' : level;
}
