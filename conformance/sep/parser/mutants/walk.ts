/** Rewrites an output as a faulty parser would understand it: its tags, and the bodies of its actions. */

/** A tag in an output. */
export interface FoundTag {
  /** As it is written. */
  readonly tag: string;
  readonly name: string;
  /** Whether it is a closing tag. */
  readonly closes: boolean;
}

/** A tag that closes itself opens nothing. */
const tagForm = /<(\/?)(thought|action|response|context_feed)\b(?:[^<>"']|"[^"]*"|'[^']*')*(?<!\/)>/g;

/** An output with other tags. `edit` gives what stands for a tag. */
export const retagged = (output: string, edit: (found: FoundTag) => string): string =>
  output.replaceAll(tagForm, (tag: string, slash: string, name: string) =>
    edit({ tag, name, closes: slash === '/' }),
  );

const openForm = /<action\b(?:[^<>"']|"[^"]*"|'[^']*')*(?<!\/)>/g;
const closeForm = /<\/action\s*>/g;

/** The end of a body: the positions of its closing tag and of what follows; undefined when there is none. */
export type FindEnd = (
  output: string,
  from: number,
) => { readonly end: number; readonly next: number } | undefined;

/** The first closing tag behind a position, in a string or not. */
export const firstClose: FindEnd = (output, from) => {
  closeForm.lastIndex = from;
  const found = closeForm.exec(output);
  return found === null ? undefined : { end: found.index, next: closeForm.lastIndex };
};

/** The first closing tag that is not in a string. `escaped`: whether a quote at a position is part of its string. */
export const closeOutsideStrings =
  (escaped: (output: string, at: number) => boolean): FindEnd =>
  (output, from) => {
    let quoted = false;
    for (let at = from; at < output.length; at++) {
      if (output[at] === '"' && !(quoted && escaped(output, at))) quoted = !quoted;
      if (quoted || !output.startsWith('</action', at)) continue;
      return firstClose(output, at);
    }
    return undefined;
  };

/** Whether an odd number of backslashes stands before a position. */
export function afterEscape(output: string, at: number): boolean {
  let slashes = 0;
  while (output[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/**
 * An output with other bodies of actions. `find` says where a body ends; without an end, the rest of the output is lost.
 * `edit` gives another body.
 */
export const rebodied = (output: string, find: FindEnd, edit: (body: string) => string): string =>
  output
    .split(responseForm)
    .map((part, i) => (i % 2 === 1 ? part : withBodies(part, find, edit)))
    .join('');

/** A response: an action in it is text. */
const responseForm = /(<response\b[^>]*>.*?(?:<\/response\s*>|$))/s;

function withBodies(output: string, find: FindEnd, edit: (body: string) => string): string {
  let made = '';
  let at = 0;
  openForm.lastIndex = 0;
  for (let open = openForm.exec(output); open !== null; open = openForm.exec(output)) {
    const from = openForm.lastIndex;
    const found = find(output, from);
    made += output.slice(at, from);
    if (found === undefined) return made;
    made += `${edit(output.slice(from, found.end))}</action>`;
    at = found.next;
    openForm.lastIndex = at;
  }
  return made + output.slice(at);
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The end of a body as the reference finds it. */
export const closeOfBody: FindEnd = (output, from) => {
  const outside = closeOutsideStrings(afterEscape)(output, from);
  const whole = outside !== undefined && isJson(output.slice(from, outside.end));
  return whole ? outside : firstClose(output, from);
};
