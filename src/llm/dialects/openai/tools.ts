/** The tools of an OpenAI request: Chat wraps a function in `function`, Responses has it flat. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ToolSpec } from '../../messages.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { checkLength, checkName, readOptionalList, refuseEmpty } from './body.ts';

/** How the two APIs write a function. */
export type ToolForm = 'wrapped' | 'flat';

/**
 * Reads `tools`; tools that are not functions (such as web search) are left out and noted. In Chat, a tool with a
 * `function` may lack its `type`: Mistral answers that with 200.
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

export function writeTool(tool: ToolSpec, form: ToolForm): JsonObject {
  const { name, description, inputSchema, strict = false } = tool;
  const inner = { name, ...(description === undefined ? {} : { description }), parameters: inputSchema };
  return form === 'wrapped'
    ? { type: 'function', function: { ...inner, ...(strict ? { strict } : {}) } }
    : // Responses makes a tool strict unless told otherwise, and then refuses schemas that are not closed.
      { type: 'function', ...inner, strict };
}
