/** The prompt that teaches a model the protocol. */
import type { JsonObject } from '../kit/base/index.ts';
import { extensionsOf } from './parser/extensions.ts';
import type { ExtensionSwitches } from './parser/extensions.ts';
import type { InternalActionName } from './feeds/internal-actions.ts';
import type { ActionType } from './parser/events.ts';
import { extensionsPart, feedsPart, internalPart } from './prompt-parts.ts';

/** What a model may call. */
export interface PromptTool {
  /** The `name` of its actions. */
  readonly name: string;
  /** The type of its actions. Default: tool. */
  readonly type?: ActionType;
  /** What it does, in a sentence. */
  readonly description: string;
  /** Its parameters: a JSON Schema, or an example. */
  readonly parameters?: JsonObject;
}

/** A context feed that the model may refer to. */
export interface PromptFeed {
  readonly id: string;
  /** What its value is, in a sentence. */
  readonly description: string;
}

/**
 * The protocol for a model, with the four best practices of the source (Best Practices, 1 to 4), each with a good and a bad
 * example. `spec/sep/prompt.md` has the same text for other languages.
 */
export const sepPrompt: string = `You write your output with these tags. They are executed while you write.

<thought>…</thought>
Your reasoning. The user sees it at once.

<action type="TYPE" mode="MODE" id="ID">
{"name": "NAME", "parameters": {…}, "output_key": "KEY", "depends_on": ["ID", …], "timeout": SECONDS, "retry": N, "on_error": "skip"}
</action>
It runs as soon as you close it. The body is one JSON object, without comments. Only name is required.
- TYPE is tool, agent, relic, workflow or llm.
- MODE is sync (what follows waits for it), async (nothing waits), or fire_and_forget (its result is not needed).
- ID is a name of your own, once in the whole run. It may stand inside of a thought.
- depends_on lists the ids of actions that must succeed first. If one fails, this action is skipped.
- output_key names the output. $KEY or $ID stands for it in later parameters and responses. $$ is a dollar sign before a name.
- on_error is skip, fail (the turn ends) or retry.

<response final="true">…</response>
Your answer, in Markdown. final="false" shows an intermediate result, after which you go on. Write nothing after the final response.

Good practice:

1. Think in clear steps, not in doubts.
Good:
<thought>
Three steps: read the logs of both hosts, compare them, name the cause.
</thought>
Bad:
<thought>Hm, the logs maybe? Or the network… I am not sure where to begin.</thought>

2. Run actions that do not need each other side by side.
Good:
<action type="tool" mode="async" id="log_a">{"name": "read_log", "parameters": {"host": "a"}}</action>
<action type="tool" mode="async" id="log_b">{"name": "read_log", "parameters": {"host": "b"}}</action>
Bad, for the second one waits for the first one without need:
<action type="tool" mode="sync" id="slow_a">{"name": "read_log", "parameters": {"host": "a"}}</action>
<action type="tool" mode="sync" id="slow_b">{"name": "read_log", "parameters": {"host": "b"}}</action>

3. Depend on what you need, and on nothing else.
Good:
<action type="agent" mode="sync" id="compare">
{"name": "comparer", "parameters": {"logs": ["$log_a", "$log_b"]}, "depends_on": ["log_a", "log_b"]}
</action>
Bad, for it waits for a log that it does not read, and is skipped if that one fails:
<action type="agent" mode="sync" id="compare_late">
{"name": "comparer", "parameters": {"logs": ["$log_a"]}, "depends_on": ["log_a", "log_b"]}
</action>

4. Choose the mode by who needs the result.
Good: sync for a sign-in that all later actions need; async for searches that take time; fire_and_forget for a note in a journal.
<action type="relic" mode="fire_and_forget" id="note">{"name": "journal", "parameters": {"text": "compared the logs"}}</action>
Bad: sync for everything, which is slow; async for a sign-in, when the actions that need it do not depend on it and may start before.
<action type="tool" mode="async" id="sign_in">{"name": "sign_in"}</action>
<action type="tool" mode="async" id="inbox">{"name": "read_inbox"}</action>`;

/** What the prompt of an agent holds beside the protocol. */
export interface PromptOptions {
  readonly tools?: readonly PromptTool[];
  readonly feeds?: readonly PromptFeed[];
  /** The internal actions that the model may use. Default: it is told of none. */
  readonly internalActions?: readonly InternalActionName[];
  /** The extensions that are on or off, as in the executor. */
  readonly extensions?: ExtensionSwitches;
}

/**
 * The prompt with what a model may call, the context feeds that it may refer to, and the extensions that it may use.
 *
 * @example
 * const prompt = promptOf({ tools: [{ name: 'add', description: 'Adds two numbers.', parameters: { a: 1, b: 2 } }] });
 * prompt.endsWith('- add (tool): Adds two numbers. Parameters: {"a":1,"b":2}'); // true
 */
export function promptOf({
  tools = [],
  feeds = [],
  internalActions = [],
  extensions = {},
}: PromptOptions): string {
  const calls = tools.map(
    ({ name, type = 'tool', description, parameters }) =>
      `- ${name} (${type}): ${description}${parameters === undefined ? '' : ` Parameters: ${JSON.stringify(parameters)}`}`,
  );
  const values = feeds.map(({ id, description }) => `- $${id}: ${description}`);
  const extended = extensionsPart(extensionsOf(extensions));
  return [
    sepPrompt,
    ...(extended === undefined ? [] : [extended]),
    ...(calls.length === 0 ? [] : [`You may call:\n${calls.join('\n')}`]),
    ...(internalActions.length === 0 ? [] : [internalPart(internalActions)]),
    ...(values.length === 0 ? [] : [`These values are there:\n${values.join('\n')}\n${feedsPart}`]),
  ].join('\n\n');
}
