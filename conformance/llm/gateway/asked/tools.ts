/** Tools and their schemas: LLM-G58, G59 and G57. */
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { carriesName } from '../tables.ts';
import type { Asked, AskedCheck } from './asked.ts';
import { schemaLoss } from './schema.ts';

type Tool = FullRequest['tools'][number];

const namesOf = (tools: readonly Tool[]): string => `[${tools.map(({ name }) => name).join(', ')}]`;

/** Whether the answer's format may have become a tool below. */
export const mayForceFormat = ({ above, below }: Asked): boolean =>
  above.format !== undefined && below.format === undefined;

/** Each tool with the one below, by its name; a tool that was renamed by its place among those that were. */
function paired(asked: Asked): readonly (readonly [Tool, Tool | undefined])[] {
  const { above, below, pair } = asked;
  const known = new Set(above.tools.map(({ name }) => name));
  const renamed = below.tools.filter(({ name }) => !known.has(name));
  return above.tools.map((tool) => [
    tool,
    below.tools.find(({ name }) => name === tool.name) ??
      (carriesName(pair.provider, tool.name) ? undefined : renamed.shift()),
  ]);
}

/** LLM-G58: the tools with their names and descriptions, in number. */
export const tools: AskedCheck = (asked) => {
  const { above, below } = asked;
  if (above.tools.length === 0) return [];
  // Without tools none is called: LLM-G60.
  if (below.tools.length === 0 && above.choice === 'none') return [];
  const pairs = paired(asked);
  const lost = pairs.find(([, came]) => came === undefined)?.[0];
  const most = above.tools.length + (mayForceFormat(asked) ? 1 : 0);
  if (lost !== undefined || below.tools.length > most)
    return [broken('LLM-G58', `expected the tools ${namesOf(above.tools)}; came ${namesOf(below.tools)}`)];
  return pairs.map(([tool, came]) => {
    const [due = '', other = ''] = [tool.description, came?.description];
    return held(
      'LLM-G58',
      due === other || due === '',
      () => `expected the description ${quoted(due)} of ${tool.name}; came ${quoted(other)}`,
    );
  });
};

/** LLM-G59 and G57: what schemas demand of arguments. */
export const schemas: AskedCheck = (asked) =>
  paired(asked).flatMap(([tool, came]): readonly GatewayFact[] => {
    if (came === undefined || Object.keys(tool.schema).length === 0) return [];
    const { core, other } = schemaLoss(tool.schema, came.schema);
    const where = (path: string): string => `expected ${path} in the schema of ${tool.name}`;
    const facts: GatewayFact[] = [
      core === undefined ? kept('LLM-G59') : broken('LLM-G59', `${where(core)} as it was; it is not there`),
    ];
    if (core !== undefined) return facts;
    if (other !== undefined) facts.push(broken('LLM-G57', `${where(other)} as it was; it is not there`));
    else if (schemaLoss(tool.schema, {}).other !== undefined) facts.push(kept('LLM-G57'));
    return facts;
  });

/** The client's names of tools that were renamed, by the provider's. */
export const renamedTools = (asked: Asked): ReadonlyMap<string, string> =>
  new Map(
    paired(asked).flatMap(([tool, came]) =>
      came === undefined || came.name === tool.name ? [] : [[came.name, tool.name] as const],
    ),
  );
