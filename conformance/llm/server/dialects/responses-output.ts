/** Compares the output of a final response with the items of its stream: LLM-S21. SDKs return the output. */
import { isArray } from '../../../../src/kit/base/index.ts';
import { shown, textOf } from '../words.ts';
import { at, items } from './reader.ts';

/** The joined texts of a message. Undefined for other items. */
const textsOf = (item: unknown): string | undefined =>
  at(item, 'type') === 'message'
    ? items(at(item, 'content'))
        .map((part) => textOf(at(part, 'text')))
        .join('')
    : undefined;

/** The types of the parts of a message. Undefined for other items. */
const partsOf = (item: unknown): string | undefined =>
  at(item, 'type') === 'message'
    ? items(at(item, 'content'))
        .map((part) => shown(at(part, 'type')))
        .join(', ')
    : undefined;

/** A member that is a text. In items of some types, such as `tool_search_call`, it is an object. */
function textAt(name: string): (item: unknown) => unknown {
  return (item) => {
    const value = at(item, name);
    return typeof value === 'string' ? value : undefined;
  };
}

/** The members of an item that are the same when it is done and in the output. */
const members: { readonly [name: string]: (item: unknown) => unknown } = {
  type: (item) => at(item, 'type'),
  call_id: (item) => at(item, 'call_id'),
  name: (item) => at(item, 'name'),
  arguments: textAt('arguments'),
  input: textAt('input'),
  text: textsOf,
  'type of each part': partsOf,
};

/**
 * The fault of an output. LLM-S30 judges one that is no list.
 *
 * @param type - the type of the final event
 * @param done - the items of `response.output_item.done`, in order
 */
export function outputFault(type: string, done: readonly unknown[], output: unknown): string | undefined {
  if (!isArray(output)) return undefined;
  if (output.length < done.length)
    return `expected the items of the response (${done.length}) in response.output of ${type}; came ${shown(output)}`;
  for (const [i, item] of done.entries())
    for (const [name, of] of Object.entries(members)) {
      const [before, after] = [of(item), of(output[i])];
      if (before !== after)
        return `expected the ${name} of response.output[${i}] to be ${shown(before)}, as in its response.output_item.done; came ${shown(after)}`;
    }
  return undefined;
}
