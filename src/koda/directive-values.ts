/** Tests of the values in a directive: an engine can send each accepted value as it is, within the default limits. */
import { isArray, isObject } from '../kit/base/index.ts';

/** The maximum of UTF-8 bytes in a text, so that its event stays within 1 MiB. */
export const maxTextBytes = 1_000_000;

/** The maximum of UTF-16 units in the JSON of `args`: a number may take more room in an event than in a directive. */
export const maxArgs = 300_000;

/** The maximum of nested containers in `args`: an event has 127, with its own object. */
const maxLevels = 126;

type Test = (value: unknown) => boolean;

/** Whether a value is a text that can be sent: it has no lone surrogate (KODA-16). */
export const isText = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.isWellFormed() &&
  (value.length * 3 <= maxTextBytes || new TextEncoder().encode(value).length <= maxTextBytes);

/** Whether a JSON value can be the `args` of an event: its texts are well-formed, and its numbers finite (KODA-16). */
export function isSendable(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (!level.every(isLeafSendable) || (depth === maxLevels && level.some(isContainer))) return false;
    level = level.flatMap(childrenOf);
  }
  return JSON.stringify(value).length <= maxArgs;
}

function isLeafSendable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  return !isObject(value) || Object.keys(value).every((name) => name.isWellFormed());
}

const isContainer = (value: unknown): boolean => isArray(value) || isObject(value);

const childrenOf = (value: unknown): readonly unknown[] => {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
};

const isCount: Test = (v) => Number.isSafeInteger(v) && Number(v) >= 0;
const isFlag: Test = (v) => typeof v === 'boolean';
const isTexts: Test = (v) => isArray(v) && v.every(isText);
const hasAll =
  (fields: { readonly [name: string]: Test }): Test =>
  (v) =>
    isObject(v) && Object.entries(fields).every(([name, is]) => Object.hasOwn(v, name) && is(v[name]));

const isReplacement: Test = hasAll({
  index: isCount,
  total: isCount,
  start_line: isCount,
  old_lines: isTexts,
  new_lines: isTexts,
});

/** The fields of each kind of preview (spec/koda/README.md, "Events"). */
const previewTests: ReadonlyMap<unknown, Test> = new Map([
  [
    'Edit',
    hasAll({
      path: isText,
      replacements: (v) => isArray(v) && v.every(isReplacement),
      truncated_count: isCount,
    }),
  ],
  ['WriteNew', hasAll({ line_count: isCount, byte_count: isCount, first_lines: isTexts, truncated: isFlag })],
  [
    'WriteOverwrite',
    hasAll({
      old_line_count: isCount,
      old_byte_count: isCount,
      new_line_count: isCount,
      new_byte_count: isCount,
      first_lines: isTexts,
      truncated: isFlag,
    }),
  ],
  ['DeleteFile', hasAll({ line_count: isCount, byte_count: isCount })],
  ['DeleteDir', hasAll({ recursive: isFlag })],
  ['FileNotYetExists', isObject],
  ['PathNotFound', isObject],
]);

/** Whether a value is a preview of a change to files. */
export const isPreview = (value: unknown): boolean =>
  isObject(value) && previewTests.get(value['kind'])?.(value) === true;
