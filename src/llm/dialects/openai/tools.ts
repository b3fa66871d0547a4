/** The tools of an OpenAI request: Chat wraps a function in `function`, Responses has it flat. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ToolSpec } from '../../messages.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { readOptionalList } from './body.ts';

/** How the two APIs write a function. */
export type ToolForm = 'wrapped' | 'flat';

/**
 * Reads `tools`; tools that are not functions (such as web search) are left out and noted. In Chat, a tool with a
 * `function` may lack its `type`: Mistral answers that with 200.
 */
export function readTools(reader: BodyReader, value: Json | undefined, form: ToolForm): readonly ToolSpec[] {
  return readOptionalList(reader, value, 'tools').flatMap((entry, i) => {
    const path = `tools[${i}]`;
    const tool = reader.object(entry, path);
    const bare = form === 'wrapped' && !present(tool['type']) && present(tool['function']);
    const type = bare ? 'function' : reader.string(tool['type'], `${path}.type`);
    if (type === 'function')
      return form === 'flat'
        ? readFunction(reader, tool, path)
        : readFunction(reader, reader.object(tool['function'], `${path}.function`), `${path}.function`);
    reader.ignore(`tools[]:${type}`);
    return [];
  });
}

function readFunction(reader: BodyReader, object: JsonObject, path: string): ToolSpec {
  const { name, description, parameters } = object;
  return {
    name: reader.string(name, `${path}.name`),
    ...(present(description) && { description: reader.string(description, `${path}.description`) }),
    // "Omitting parameters defines a function with an empty parameter list."
    inputSchema: present(parameters) ? reader.object(parameters, `${path}.parameters`) : {},
  };
}

/** Writes one tool. */
export function writeTool(tool: ToolSpec, form: ToolForm): JsonObject {
  const { name, description, inputSchema } = tool;
  const inner = { name, ...(description === undefined ? {} : { description }), parameters: inputSchema };
  return form === 'wrapped'
    ? { type: 'function', function: inner }
    : // Responses makes a tool strict unless told otherwise, and then refuses schemas that are not closed.
      { type: 'function', ...inner, strict: false };
}
