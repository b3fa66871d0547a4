/** The tools of a request to Anthropic, read with the API's rules for their names and schemas, and written. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ToolSpec } from '../../messages.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** The form of a name. Until 2025 it had 64 characters at most. */
const namePattern = '^[a-zA-Z0-9_-]{1,128}$';
const nameForm = new RegExp(namePattern);

/** Keywords that a schema may have inside, and not at its top. */
const unions = ['oneOf', 'allOf', 'anyOf'] as const;

/** Reads `tools`. Tools that the API runs itself have their own type, and no schema: they are noted, not offered. */
export function readTools(reader: BodyReader, value: Json): readonly ToolSpec[] {
  const names = new Set<string>();
  return reader.array(value, 'tools').flatMap((entry, i) => {
    const tool = reader.object(entry, `tools[${i}]`);
    checkUniqueName(reader, tool['name'], names, i);
    const { type } = tool;
    if (typeof type !== 'string' || type === 'custom') return readTool(reader, tool, `tools[${i}].custom`);
    reader.ignore(`tools[${i}].type: ${type}`);
    return [];
  });
}

function checkUniqueName(reader: BodyReader, name: Json | undefined, names: Set<string>, i: number): void {
  if (typeof name !== 'string') return;
  if (names.has(name)) reader.refuse(`tools[${i}]`, '', { message: 'tools: Tool names must be unique.' });
  names.add(name);
}

/** Reads one tool. The API's places have the type of a tool in them: `tools.0.custom.name`. */
function readTool(reader: BodyReader, tool: JsonObject, path: string): ToolSpec {
  const { description, eager_input_streaming: eager, strict } = tool;
  const name = reader.string(tool['name'], `${path}.name`);
  if (!nameForm.test(name)) reader.refuse(`${path}.name`, `String should match pattern '${namePattern}'`);
  return {
    name,
    ...(present(description) ? { description: reader.string(description, `${path}.description`) } : {}),
    inputSchema: readSchema(reader, tool['input_schema'], `${path}.input_schema`),
    ...(present(eager) ? { eager: reader.boolean(eager, `${path}.eager_input_streaming`) } : {}),
    ...(strict === true ? { strict } : {}),
  };
}

function readSchema(reader: BodyReader, value: Json | undefined, path: string): JsonObject {
  const schema = reader.object(value, path);
  const { type } = schema;
  if (type === undefined) reader.refuse(`${path}.type`, 'Field required');
  else if (type !== 'object') reader.refuse(`${path}.type`, "Input should be 'object'");
  if (unions.some((word) => word in schema))
    reader.refuse(path, 'input_schema does not support oneOf, allOf, or anyOf at the top level');
  return schema;
}

export const writeTool = (tool: ToolSpec): JsonObject => ({
  name: tool.name,
  ...(tool.description === undefined ? {} : { description: tool.description }),
  input_schema: tool.inputSchema,
  ...(tool.eager === undefined ? {} : { eager_input_streaming: tool.eager }),
  ...(tool.strict === undefined ? {} : { strict: tool.strict }),
});
