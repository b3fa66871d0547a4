/**
 * The tool of a whole program that scenarios call: its name, an input that succeeds, and the witness that shows that a
 * call was run. The statement names it. Without a witness, nobody can tell a call that was run from one that was refused.
 */
import { WireproofError, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { StatedTool, Statement } from '../../../src/kit/spec/index.ts';
import type { TemplateForms } from '../../../src/kit/scenario/index.ts';
import { hashSeed } from '../../../src/kit/world/index.ts';

/** A tool with a witness. */
export interface AgentTool {
  readonly name: string;
  readonly input: JsonObject;
  readonly shows?: string;
  readonly makes?: string;
}

/** The tool of the reference, as a program in the simulated world. Its result is the same in each call. */
export const referenceTool: AgentTool = {
  name: 'note',
  input: { text: 'remember {nonce}' },
  shows: 'Written.',
};

/** The witness of a scenario, as its mark tells the rules. */
export interface Witness {
  /** The row that the scenario is for. */
  readonly row: string;
  readonly tool: string;
  /** The text in the result of the first call, which is complete. Null when the witness is a file. */
  readonly control: string | null;
  /** The text in the result of a call that must not run. */
  readonly forbidden: string | null;
  /** Whether the witness is a file. Then marks tell when it was made. */
  readonly file: boolean;
}

/**
 * The tool that the statement names as `quick`, if it has a witness; else the tool of the reference.
 *
 * @throws WireproofError 'usage' when its witness cannot show whether a call was run
 */
export function agentToolOf(statement: Statement | undefined): AgentTool {
  const quick = statement?.tools?.['quick'];
  if (typeof quick !== 'object' || (quick.shows ?? quick.makes) === undefined) return referenceTool;
  const { name, input = {}, shows, makes } = quick;
  if (!isObject(input) || Object.keys(input).length === 0)
    throw unusable(
      'tools.quick.input: expected an object with a member; a call without arguments cannot be cut in them',
    );
  checkShows(shows, JSON.stringify(input));
  checkMakes(makes, JSON.stringify(input));
  return {
    name,
    input,
    ...(shows === undefined ? {} : { shows }),
    ...(makes === undefined ? {} : { makes }),
  };
}

const unusable = (message: string): WireproofError => new WireproofError('usage', message);

function checkShows(shows: StatedTool['shows'], input: string): void {
  if (shows === undefined) return;
  if (input.includes(shows) || input.includes(JSON.stringify(shows).slice(1, -1)))
    throw unusable(
      `tools.quick.shows: the input contains "${shows}" too, so a refusal that quotes the call would look like its result; let the tool make the text, such as printf '%s-%s' {nonce} ran and shows: '{nonce}-ran'`,
    );
  if (shows.includes('{nonce}') && !input.includes('{nonce}'))
    throw unusable('tools.quick.shows has {nonce}, and tools.quick.input does not');
}

function checkMakes(makes: StatedTool['makes'], input: string): void {
  if (makes === undefined) return;
  if (!makes.startsWith('{tmp}/') || !makes.includes('{nonce}') || !input.includes('{nonce}'))
    throw unusable(
      'tools.quick.makes: expected a path such as {tmp}/{nonce}.txt, and {nonce} in tools.quick.input: each call makes a file of its own',
    );
}

/** The uses of the tool in a scenario: the complete call, and the call that must not run. */
export const toolUses = ['control', 'forbidden'] as const;

/** One of {@link toolUses}. */
export type ToolUse = (typeof toolUses)[number];

/** The word that stands for `{nonce}` in a call of a scenario. */
const nonceOf = (scenario: string, use: ToolUse): string =>
  `wp${hashSeed(`${scenario} ${use}`).toString(36)}`;

/** A text of the statement for one call. */
export const forCall = (text: string, scenario: string, use: ToolUse): string =>
  text.replaceAll('{nonce}', nonceOf(scenario, use));

export const witnessOf = ({ name, shows, makes }: AgentTool, scenario: string, row: string): Witness => ({
  row,
  tool: name,
  control: shows === undefined ? null : forCall(shows, scenario, 'control'),
  forbidden: shows === undefined ? null : forCall(shows, scenario, 'forbidden'),
  file: makes !== undefined,
});

/** How a call is generated: complete, cut at a place after which mending gives the complete call, or malformed. */
export type CallShape = 'complete' | 'last-brace' | 'last-string' | 'after-brace' | 'comma' | 'list';

/** The turn of a script that calls the tool. `settings`: further settings of the turn. */
export function toolTurn(
  tool: AgentTool,
  scenario: string,
  use: ToolUse,
  shape: CallShape = 'complete',
  settings: JsonObject = {},
): JsonObject {
  const input = forCall(JSON.stringify(tool.input), scenario, use);
  const draft = JSON.stringify({ name: tool.name, use, input, shape, settings }).replaceAll('$', '\\u0024');
  return { $tool_turn: { draft, ...(input.includes('{tmp}') ? { tmp: '$tmp' } : {}) } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Makes the turn when the scratch folder of the target is known: the cut depends on the length of the arguments. */
export const programForms: TemplateForms = {
  $tool_turn: (value) => {
    const { draft, tmp } = isObject(value) ? value : {};
    const { name = '', use, input, shape, settings = {} } = JSON.parse(textOf(draft)) as JsonObject;
    const place = JSON.stringify(textOf(tmp)).slice(1, -1);
    const text = textOf(input).replaceAll('{tmp}', place);
    const { arguments: written, cut } = shaped(text, textOf(shape));
    const { steps, ...others } = isObject(settings) ? settings : {};
    return {
      match: { tools: [name] },
      steps: [
        { text: use === 'control' ? 'I will see.' : 'I will look again.' },
        { tool_call: { name, arguments: written } },
        ...(Array.isArray(steps) ? (steps as readonly Json[]) : []),
      ],
      variants: { ollama: 'leaked' },
      ...(cut === undefined ? {} : { cut: { step: 1, at: cut } }),
      ...others,
    };
  },
};

/** The arguments of a call in a shape, and the place of its cut. */
function shaped(text: string, shape: string): { readonly arguments: string; readonly cut?: JsonObject } {
  const length = Array.from(text).length;
  switch (shape) {
    case 'last-brace':
      return { arguments: text, cut: { char: length - 1 } };
    case 'last-string':
      return { arguments: text, cut: { char: text.endsWith('"}') ? length - 2 : length - 1 } };
    case 'after-brace':
      return { arguments: text, cut: { char: length } };
    case 'comma':
      return { arguments: `${text.slice(0, -1)},}` };
    case 'list':
      return { arguments: `[${text}]` };
    default:
      return { arguments: text };
  }
}
