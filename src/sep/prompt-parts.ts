/** What the prompt adds for context feeds, internal actions and extensions. */
import type { ExtensionName } from './parser/extensions.ts';
import type { InternalActionName } from './feeds/internal-actions.ts';

/** How a model sees its feeds. */
export const feedsPart =
  'They are at the start of your prompt as <context_feed id="ID">…</context_feed>. Do not write this tag. stale="true" means that the value could not be renewed.';

/** What each internal action does. */
const internalParts: { readonly [N in InternalActionName]: string } = {
  add_context_feed:
    'adds a feed. Parameters: {"id": "ID", "type": "on_demand", "source": {"type": "tool", "name": "NAME", "params": {…}}}; with "type": "periodic" also "interval": SECONDS',
  update_context_feed: 'changes a feed. Parameters: {"id": "ID", …the members to change}',
  remove_context_feed: 'removes a feed. Parameters: {"id": "ID"}',
  list_context_feeds: 'lists the feeds',
  clear_context_feeds: 'removes all feeds',
  get_context_feed: 'fetches a feed now. Parameters: {"id": "ID"}',
  set_variable: 'gives $NAME a value. Parameters: {"name": "NAME", "value": …}',
  delete_variable: 'takes this value away. Parameters: {"name": "NAME"}',
};

/** The part about internal actions: those that the model may use. */
export const internalPart = (names: readonly InternalActionName[]): string =>
  [
    'You may change your own feeds and variables by actions of the type internal:',
    ...names.map((name) => `- ${name}: ${internalParts[name]}.`),
  ].join('\n');

/** What a model writes for an extension. The others are switched on without a word to the model. */
const extensionParts: { readonly [N in ExtensionName]?: string } = {
  conditions: `<if test="$count > 0 and not defined $error">…<else/>…</if>
Only one of both parts counts. A test compares with ==, !=, <, <=, >, >=, in, and joins with not, and, or. It may name outputs, such as $user.name or $list[0].`,
  loops: `<foreach in="$list" as="item" index="index">…</foreach>
The content counts once for each item. An action with the id x has the id x_0 in the first round; behind the loop, $x is the list of all outputs.`,
  groups: `<parallel>…</parallel>
The actions in it run side by side. What is behind it waits for all of them.`,
  templates: `<template name="NAME">{"type": "tool", "name": "TOOL", "parameters": {"url": "$url"}}</template>
A pattern of actions. Use it by <action type="template" id="ID">{"name": "NAME", "parameters": {"url": "…"}}</action>.`,
  sub_thoughts: `<thought>…<thought>…</thought>…</thought>
A thought may stand in a thought.`,
  rollback: `"rollback": {"name": "NAME", "parameters": {…}} in the body of an action
It undoes the action, if a later failure ends the turn.`,
};

/** The part about the extensions that are on; undefined: none of them has a form that a model writes. */
export function extensionsPart(on: ReadonlySet<ExtensionName>): string | undefined {
  const parts = Object.entries(extensionParts).flatMap(([name, text]) =>
    on.has(name as ExtensionName) ? [text] : [],
  );
  return parts.length === 0 ? undefined : ['You may also write:', ...parts].join('\n\n');
}
