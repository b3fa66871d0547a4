/** Makes elements. Text only ever becomes a text node, so no text of a peer can become markup. */
import { visible } from '../../escape.ts';

/** The attributes of an element; `false` leaves one out. */
export interface Attributes {
  readonly [name: string]: string | number | boolean;
}

/** Makes an element. Texts among its children show characters that act or hide as escapes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) made.append(typeof child === 'string' ? shown(child) : child);
  return made;
}

/** A text whose control and direction characters are visible. */
export const shown = (text: string): string => visible(text, { limit: Infinity, multiline: true });

/** The element with an id. @throws Error when the page lacks it */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}
