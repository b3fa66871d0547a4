/** An action of a run, as its events tell it. */
import { exactText, isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { textIn, textsIn } from '../events.ts';
import { namesIn } from '../references.ts';

/** The outcome of an action. */
export type Outcome = 'completed' | 'failed' | 'skipped';

/** An action that was declared by an event `action`. */
export interface KnownAction {
  readonly id: string;
  readonly mode: string;
  readonly dependsOn: readonly string[];
  readonly outputKey: string | undefined;
  /** Whether the parser made its id. */
  readonly generated: boolean;
  /** The time limit of an attempt (s). */
  readonly timeout: number | undefined;
  /** The further attempts that it asks for; undefined: it does not say. */
  readonly retry: number | undefined;
  readonly onError: string;
  /** Its parameters as they were written; undefined: they hold no `$`, or are too large to keep. */
  readonly parameters: JsonObject | undefined;
  /** Whether its parameters are too large to keep. */
  readonly isLarge: boolean;
  /** The names that its parameters refer to; none where these are too large. */
  readonly names: readonly string[];
  /** Its place among the actions of the run, from 0. */
  readonly place: number;
  /** The number of its iteration. */
  readonly iteration: number;
  /** The number and the time (s) of its event. */
  readonly declared: Moment;
  /** Whether it certainly waits for no action that may come later. */
  readonly isGrounded: boolean;
  /** Whether it certainly waits for an action that may come later. */
  readonly floats: boolean;
  /** Whether no earlier action was without its outcome when it came. */
  readonly cameAlone: boolean;
  /** The id of the sync action before it that had no outcome when it came. */
  readonly behind: string | undefined;
  /** Whether it could have started when it came, but for the outputs that its parameters name. */
  readonly couldStart: boolean;
  /** The number of its events `started`, and the first of them. */
  starts: number;
  started: Moment | undefined;
  outcome: Outcome | undefined;
  ended: Moment | undefined;
  /** Its output; undefined: it has none, or it is too large to keep. */
  output: Json | undefined;
  /** The cause that its event `skipped` tells. */
  because: string;
}

/** The number of an event, and its time (s). */
export interface Moment {
  readonly n: number;
  readonly at: number | undefined;
}

/** What the action itself tells. */
export type ToldAction = Pick<
  KnownAction,
  | 'id'
  | 'mode'
  | 'dependsOn'
  | 'outputKey'
  | 'generated'
  | 'timeout'
  | 'retry'
  | 'onError'
  | 'parameters'
  | 'names'
  | 'isLarge'
>;

/** A number under a name; undefined when there is none. */
export const numberIn = (event: JsonObject, name: string): number | undefined => {
  const value = event[name];
  return typeof value === 'number' ? value : undefined;
};

/** Reads the action of an event; undefined: it has no id. */
export function toldAction(action: Json | undefined): ToldAction | undefined {
  if (!isObject(action)) return undefined;
  const id = textIn(action, 'id');
  if (id === '') return undefined;
  const { parameters: written = {} } = action;
  const isLarge = !isSmall(written);
  const parameters = isObject(written) && !isLarge && holdsSign(written) ? written : undefined;
  const key = textIn(action, 'output_key');
  return {
    id,
    mode: textIn(action, 'mode'),
    dependsOn: textsIn(action['depends_on']),
    outputKey: key === '' ? undefined : key,
    generated: action['generated'] === true,
    timeout: numberIn(action, 'timeout'),
    retry: numberIn(action, 'retry'),
    onError: textIn(action, 'on_error'),
    parameters,
    isLarge,
    names: parameters === undefined ? [] : namesIn(parameters),
  };
}

/** Whether a small value has a `$` in a text or a key. */
const holdsSign = (value: JsonObject): boolean => exactText(value).includes('$');

/** The most that is kept of the parameters or the output of an action (characters), and how deep it may be. */
const mostKept = 1 << 14;
const mostLevels = 32;

/** Whether a value is small enough to keep. Its texts and keys count, and each value as one character. */
export function isSmall(value: Json): boolean {
  let left = mostKept;
  const fits = (one: Json, level: number): boolean => {
    left -= typeof one === 'string' ? one.length + 1 : 1;
    if (left < 0 || level > mostLevels) return false;
    if (isArray(one)) return one.every((inner) => fits(inner, level + 1));
    if (!isObject(one)) return true;
    return Object.entries(one).every(([key, inner]) => {
      left -= key.length;
      return fits(inner, level + 1);
    });
  };
  return fits(value, 0);
}
