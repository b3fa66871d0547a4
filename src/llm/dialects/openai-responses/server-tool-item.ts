/** The item of a call that the provider executes itself, such as `web_search_call`. */
import { entryOf } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block } from '../../messages.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { added, done } from './output-item.ts';
import type { ItemContext, ItemStatus, OutputItem } from './output-item.ts';

/** The item of a server's tool. Its input is in the last event only, so that pieces send nothing. */
export function serverToolItem(
  { name: tool, server }: Extract<Block, { kind: 'server_tool' }>,
  { index, id }: ItemContext,
): OutputItem {
  const name = server === undefined ? tool : 'mcp';
  const { prefix, steps } = entryOf(knownTools, name) ?? { prefix: `${name}_`, steps: ['in_progress'] };
  const itemId = id(prefix);
  const type = `${name}_call`;
  const at = { output_index: index, item_id: itemId };
  const event = (step: string) => ({ type: `response.${type}.${step}`, ...at });
  const item = (text: string, status: ItemStatus): JsonObject => {
    const input = parseJson(text);
    const fields =
      server === undefined
        ? fieldsOf(name, isJsonObject(input) ? input : {})
        : { server_label: server, name: tool, arguments: text };
    return { id: itemId, type, status, ...fields };
  };
  return {
    item,
    begin: () => [added(index, item('', 'in_progress')), ...steps.map(event)],
    end: (text, status) => [
      ...(status === 'completed' ? [event('completed')] : []),
      done(index, item(text, status)),
    ],
  };
}

const knownTools: {
  readonly [name: string]: { readonly prefix: string; readonly steps: readonly string[] };
} = {
  web_search: { prefix: 'ws_', steps: ['in_progress', 'searching'] },
  file_search: { prefix: 'fs_', steps: ['in_progress', 'searching'] },
  code_interpreter: { prefix: 'ci_', steps: ['in_progress', 'interpreting'] },
  image_generation: { prefix: 'ig_', steps: ['in_progress', 'generating'] },
};

/** The members of the item that hold the input. */
function fieldsOf(name: string, input: JsonObject): JsonObject {
  const { query = '', code = '' } = input;
  if (name === 'web_search') return { action: { type: 'search', query } };
  if (name === 'file_search') return { queries: query === '' ? [] : [query], results: null };
  if (name === 'code_interpreter') return { code, container_id: 'cntr_wireproof', outputs: null };
  return input;
}
