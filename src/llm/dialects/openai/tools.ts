/**
 * The tools of an OpenAI request: Chat wraps a function in `function` and a custom tool in `custom`, Responses has both
 * flat.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ToolSpec } from '../../messages.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { checkLength, checkName, readOptionalList, refuseEmpty } from './body.ts';

/** How the two APIs write a tool. */
export type ToolForm = 'wrapped' | 'flat';

/**
 * Reads `tools`; tools that are neither functions nor custom (such as web search) are left out and noted. In Chat, a tool
 * with a `function` may lack its `type`: Mistral answers that with 200.
 */
export function readTools(reader: BodyReader, value: Json | undefined, form: ToolForm): readonly ToolSpec[] {
  const list = readOptionalList(reader, value, 'tools');
  if (form === 'wrapped' && present(value) && list.length === 0) refuseEmpty(reader, 'tools');
  return list.flatMap((entry, i) => {
    const path = `tools[${i}]`;
    const tool = reader.object(entry, path);
    const bare = form === 'wrapped' && !present(tool['type']) && present(tool['function']);
    const type = bare ? 'function' : reader.string(tool['type'], `${path}.type`);
    if (type === 'function')
      return form === 'flat'
        ? readFunction(reader, tool, path)
        : readWrapped(reader, reader.object(tool['function'], `${path}.function`), `${path}.function`);
    if (type === 'custom')
      return form === 'flat'
        ? readCustom(reader, tool, path)
        : readCustom(reader, reader.object(tool['custom'], `${path}.custom`), `${path}.custom`);
    reader.ignore(`tools[]:${type}`);
    return [];
  });
}

const mostName = 64;

/** Chat's function: its name is bounded, and its parameters may be left out, but not null. */
function readWrapped(reader: BodyReader, object: JsonObject, path: string): ToolSpec {
  const { name, parameters } = object;
  if (typeof name === 'string') checkLength(reader, name, `${path}.name`, mostName);
  if (parameters === null)
    reader.refuse(
      `${path}.parameters`,
      `Invalid schema for function '${typeof name === 'string' ? name : ''}': None is not of type 'object', 'boolean'.`,
    );
  return readFunction(reader, object, path);
}

function readFunction(reader: BodyReader, object: JsonObject, path: string): ToolSpec {
  const { description, parameters, strict } = object;
  const name = reader.string(object['name'], `${path}.name`);
  checkName(reader, name, `${path}.name`);
  return {
    name,
    ...(strict === true ? { strict } : {}),
    ...(present(description) && { description: reader.string(description, `${path}.description`) }),
    // "Omitting parameters defines a function with an empty parameter list."
    inputSchema: present(parameters) ? reader.object(parameters, `${path}.parameters`) : {},
  };
}

/** A custom tool. Its `format` is `{type: text}`, or a grammar, and may be left out. */
function readCustom(reader: BodyReader, object: JsonObject, path: string): ToolSpec {
  const { description, format } = object;
  const name = reader.string(object['name'], `${path}.name`);
  checkName(reader, name, `${path}.name`);
  return {
    name,
    custom: true,
    ...(present(description) && { description: reader.string(description, `${path}.description`) }),
    ...(present(format) && { format: reader.object(format, `${path}.format`) }),
    inputSchema: {},
  };
}

export function writeTool(tool: ToolSpec, form: ToolForm): JsonObject {
  const { name, description, inputSchema, strict = false } = tool;
  const named = { name, ...(description === undefined ? {} : { description }) };
  if (tool.custom === true)
    return writeCustom({ ...named, ...(tool.format && { format: tool.format }) }, form);
  const inner = { ...named, parameters: inputSchema };
  return form === 'wrapped'
    ? { type: 'function', function: { ...inner, ...(strict ? { strict } : {}) } }
    : // Responses makes a tool strict unless told otherwise, and then refuses schemas that are not closed.
      { type: 'function', ...inner, strict };
}

const writeCustom = (custom: JsonObject, form: ToolForm): JsonObject =>
  form === 'wrapped' ? { type: 'custom', custom } : { type: 'custom', ...custom };
