/** The tools of a statement that scenarios can use. */
import { isObject } from '../base/index.ts';
import type { Statement } from '../spec/index.ts';
import type { NamedTools } from '../suite/index.ts';

type Stated = NonNullable<Statement['tools']>[string];

/** The tools that a test accepts. A tool that the statement only names has no input, and cannot be called. */
const toolsWith = (
  statement: Statement | undefined,
  isUsable: (tool: Exclude<Stated, string>) => boolean,
): NamedTools =>
  Object.fromEntries(
    Object.entries(statement?.tools ?? {}).flatMap(([meaning, tool]) =>
      typeof tool === 'object' && isUsable(tool)
        ? [[meaning, { name: tool.name, input: isObject(tool.input) ? tool.input : {} }]]
        : [],
    ),
  );

/** The tools that a model can call. */
export const callableTools = (statement: Statement | undefined): NamedTools =>
  toolsWith(statement, () => true);

/** The tools with a witness that they ran. */
export const witnessedTools = (statement: Statement | undefined): NamedTools =>
  toolsWith(statement, ({ shows, makes }) => (shows ?? makes) !== undefined);
