/** The tools of a statement that scenarios can use. */
import { isObject } from '../base/index.ts';
import type { Claims } from '../scenario/index.ts';
import type { Statement } from '../spec/index.ts';
import { holdsNonce } from '../suite/index.ts';
import type { NamedTools, Suite } from '../suite/index.ts';

type Stated = NonNullable<Statement['tools']>[string];

/** The tools that a test accepts. A tool that the statement only names has no input, and cannot be called. */
const toolsWith = (
  statement: Statement | undefined,
  isUsable: (tool: Exclude<Stated, string>) => boolean,
): NamedTools =>
  Object.fromEntries(
    Object.entries(statement?.tools ?? {}).flatMap(([meaning, tool]) =>
      typeof tool === 'object' && isUsable(tool) ? [[meaning, usable(tool)]] : [],
    ),
  );

const usable = ({ name, input, shows }: Exclude<Stated, string>): NamedTools[string] => ({
  name,
  input: isObject(input) ? input : {},
  ...(shows === undefined ? {} : { shows }),
});

/** The tools that a suite can use. */
export interface UsableTools {
  readonly tools: NamedTools;
  /** What a plan depends on. */
  readonly claims: Required<Pick<Claims, 'tools' | 'traceable' | 'takesAnyTool'>>;
}

/** The tools of a statement that a suite can use: those that a model can call, or only those with a witness that they ran. */
export function usableTools(suite: Suite, statement: Statement | undefined): UsableTools {
  const takesAnyTool = suite.referenceTools !== undefined;
  const tools = toolsWith(statement, ({ shows, makes }) => takesAnyTool || (shows ?? makes) !== undefined);
  const names = Object.keys(tools);
  const traceable = new Set(names.filter((name) => holdsNonce(tools[name]?.input ?? {})));
  return { tools, claims: { tools: new Set(names), traceable, takesAnyTool } };
}
