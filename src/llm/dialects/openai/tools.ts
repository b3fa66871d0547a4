/** The tools of an OpenAI request: Chat wraps what a function is in `function`, Responses has it flat. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { ToolSpec } from '../../messages.ts';
import type { Findings } from './body.ts';
import { readObject, readOptionalList, readString } from './body.ts';

/** How the two APIs say a function. */
export type ToolForm = 'wrapped' | 'flat';

/** Reads `tools`; those that are no functions (web search and such) are passed over and noted. */
export function readTools(value: Json | undefined, form: ToolForm, findings: Findings): ToolSpec[] {
  const tools: ToolSpec[] = [];
  for (const [i, entry] of readOptionalList(value, 'tools', findings).entries()) {
    const tool = readObject(entry, `tools[${i}]`, findings);
    if (tool === undefined) continue;
    const type = readString(tool['type'], `tools[${i}].type`, findings);
    if (type !== 'function') findings.ignore(`tools[]:${type}`);
    else if (form === 'flat') tools.push(readFunction(tool, `tools[${i}]`, findings));
    else {
      const inner = readObject(tool['function'], `tools[${i}].function`, findings);
      if (inner !== undefined) tools.push(readFunction(inner, `tools[${i}].function`, findings));
    }
  }
  return tools;
}

function readFunction(object: JsonObject, path: string, findings: Findings): ToolSpec {
  const name = readString(object['name'], `${path}.name`, findings);
  const { description = null, parameters = null } = object;
  return {
    name,
    ...(description === null
      ? {}
      : { description: readString(description, `${path}.description`, findings) }),
    // "Omitting parameters defines a function with an empty parameter list."
    inputSchema: parameters === null ? {} : (readObject(parameters, `${path}.parameters`, findings) ?? {}),
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
