/**
 * The JSON paths of arguments that stream (RFC 9535): the root, names and indices, such as `$.foo.bar[0].data` or
 * `$["a b"]`.
 */
import { parseJson } from '../shared/arguments.ts';

/** One step of a path: the name of a member, or an index. */
export type PathStep = string | number;

/** A name that needs no quotes. */
const plainName = /^[A-Za-z_]\w*$/;

/**
 * Writes a path.
 *
 * @example
 * writePath(['tags', 0, 'a b']); // '$.tags[0]["a b"]'
 */
export const writePath = (steps: readonly PathStep[]): string => `$${steps.map(writeStep).join('')}`;

function writeStep(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  return plainName.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** A step of a path at a place: a name after a dot, an index, or a name in quotes. */
const stepForm = /\.([^.[\]'"]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\['((?:[^'\\]|\\.)*)'\]/suy;

/**
 * Reads a path; undefined where it is none, or selects more than one place.
 *
 * @example
 * readPath("$.a[0]['b c']"); // ['a', 0, 'b c']
 * readPath('$..a'); // undefined
 */
export function readPath(path: string): readonly PathStep[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: PathStep[] = [];
  stepForm.lastIndex = 1;
  for (let at = 1; at < path.length; at = stepForm.lastIndex) {
    const [, name, index, double, single] = stepForm.exec(path) ?? [];
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else {
      const quoted = double ?? (single === undefined ? undefined : doubleQuoted(single));
      const read = quoted === undefined ? undefined : parseJson(quoted);
      if (typeof read !== 'string') return undefined;
      steps.push(read);
    }
  }
  return steps;
}

/** The JSON text of a name in single quotes. */
const doubleQuoted = (name: string): string =>
  `"${name.replaceAll(/\\'|\\.|"/gsu, (found) => (found === "\\'" ? "'" : found === '"' ? '\\"' : found))}"`;
