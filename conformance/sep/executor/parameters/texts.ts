/** Judges a text of parameters: the value that came for it, by the values of the names that it refers to. */
import { exactText } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { NamedValue, Names, RowFinding, ValueOf } from './named-value.ts';
import { partsOf, textForm } from '../references.ts';
import type { TextPart } from '../references.ts';

/** A text as it was written, and what came for it. */
export interface TextPair {
  readonly written: string;
  readonly came: Json;
  /** Whether it stands in a list or an object. */
  readonly isInner: boolean;
}

const isEqual = (a: Json, b: Json): boolean => difference('', a, b) === undefined;

/** What came for a text shows about the rows of references. */
export function textFindings(text: TextPair, { valueOf, isMissing }: Names): readonly RowFinding[] {
  const parts = partsOf(text.written);
  const missing = parts.flatMap((part) =>
    part.is === 'reference' && isMissing(part.name) ? missingFindings(text, part.text) : [],
  );
  return [...missing, ...valueFindings(text, parts, valueOf)];
}

/** A name of which the executor itself said that it has no value (SEP-47). */
const missingFindings = ({ came }: TextPair, reference: string): readonly RowFinding[] => [
  [
    'SEP-47',
    typeof came === 'string' && came.includes(reference)
      ? 'exercised'
      : mismatch(`${reference} as it is written`, shown(came)),
  ],
];

function valueFindings(text: TextPair, parts: readonly TextPart[], valueOf: ValueOf): readonly RowFinding[] {
  const [only] = parts;
  if (only === undefined) return [];
  if (parts.length === 1 && only.is === 'reference') {
    const named = valueOf(only.name);
    return named === undefined ? [] : wholeFindings(text, named, valueOf);
  }
  return insideFindings(text, parts, valueOf);
}

/** The row of a reference to an output that stayed as it was written. */
function rowOfStayed({ isInner }: TextPair, { value, isLate, isOlder, isId }: NamedValue): string {
  if (isInner) return 'SEP-44';
  if (isOlder) return 'SEP-56';
  // null is a value, and an id is a name.
  if (value === null) return 'SEP-42';
  return isLate && !isId ? 'SEP-45' : 'SEP-41';
}

/** The rows that a right value shows. */
const shownBy = ({ isInner }: TextPair, { isLate, isOlder }: NamedValue): readonly string[] => [
  ...(isInner ? ['SEP-44'] : []),
  ...(isLate ? ['SEP-45'] : []),
  ...(isOlder ? ['SEP-56'] : []),
];

const exercisedAll = (rows: readonly string[]): readonly RowFinding[] =>
  rows.map((row) => [row, 'exercised']);

/** A text that is one reference (SEP-42). */
function wholeFindings(text: TextPair, named: NamedValue, valueOf: ValueOf): readonly RowFinding[] {
  const { written, came } = text;
  const { value } = named;
  if (isEqual(value, came))
    return exercisedAll([
      'SEP-41',
      ...(typeof value === 'string' && !isTextOfOther(value) ? [] : ['SEP-42']),
      ...(refersAgain(value, valueOf) ? ['SEP-48'] : []),
      ...shownBy(text, named),
    ]);
  return [[rowOfWrong(text, named, valueOf), mismatch(`${shown(value)} for ${written}`, shown(came))]];
}

function rowOfWrong(text: TextPair, named: NamedValue, valueOf: ValueOf): string {
  const { written, came } = text;
  const { value, ofId } = named;
  if (came === written) return rowOfStayed(text, named);
  if (ofId !== undefined && isEqual(ofId, came)) return 'SEP-41';
  if (typeof value !== 'string') return came === textForm(value) ? 'SEP-42' : rowOfOther(named);
  if (refersAgain(value, valueOf)) return 'SEP-48';
  return isTextOfOther(value) && isEqual(JSON.parse(value) as Json, came) ? 'SEP-42' : rowOfOther(named);
}

/** The row of a value that is no form of the right one: an older one, or none. */
const rowOfOther = ({ isLate }: NamedValue): string => (isLate ? 'SEP-45' : 'SEP-41');

/** Whether a text is the JSON of a value that is no text, such as `7`. */
function isTextOfOther(text: string): boolean {
  try {
    return typeof JSON.parse(text) !== 'string';
  } catch {
    return false;
  }
}

/** Whether a value is a text that refers to a value. */
const refersAgain = (value: Json, valueOf: ValueOf): value is string =>
  typeof value === 'string' &&
  partsOf(value).some((part) => part.is === 'reference' && valueOf(part.name) !== undefined);

/** A text with its references replaced; those without a value stay. */
const filled = (
  parts: readonly TextPart[],
  valueOf: ValueOf,
  form: (value: Json) => string = textForm,
): string =>
  parts
    .map((part) => {
      if (part.is === 'escape') return `$${part.name}`;
      const named = part.is === 'reference' ? valueOf(part.name) : undefined;
      return named === undefined ? part.text : form(named.value);
    })
    .join('');

/** A longer text with references (SEP-43), with `$$name` (SEP-97), or with a digit behind a `$` (SEP-46). */
function insideFindings(text: TextPair, parts: readonly TextPart[], valueOf: ValueOf): readonly RowFinding[] {
  const { came } = text;
  const named = parts.flatMap((part) => (part.is === 'reference' ? [valueOf(part.name)] : []));
  const known = named.filter((one) => one !== undefined);
  if (known.length < named.length) return openFindings(text, parts, valueOf, known);
  const wanted = filled(parts, valueOf);
  const rows = rowsOfParts(text, parts, valueOf);
  if (came === wanted)
    return exercisedAll([
      ...rows,
      ...(known.length > 0 ? ['SEP-43'] : []),
      ...(known.some(({ value }) => refersAgain(value, valueOf)) ? ['SEP-48'] : []),
      ...known.flatMap((one) => shownBy(text, one)),
    ]);
  const row = rowOfWrongText(text, parts, valueOf, known);
  if (row === undefined || (row === 'SEP-43' && isOtherForm(parts, came, known))) return [];
  return [[row, mismatch(shown(wanted), shown(came))]];
}

/** Whether a text has another compact JSON of its one value, such as one with its keys in another order. */
function isOtherForm(parts: readonly TextPart[], came: Json, known: readonly NamedValue[]): boolean {
  const [only, ...others] = known;
  if (only === undefined || typeof came !== 'string' || known.every(({ value }) => hasOneForm(value)))
    return false;
  if (others.length > 0) return true;
  const place = parts.findIndex(({ is }) => is === 'reference');
  const before = filled(parts.slice(0, place), () => undefined);
  const after = filled(parts.slice(place + 1), () => undefined);
  if (!came.startsWith(before) || !came.endsWith(after) || came.length < before.length + after.length)
    return false;
  return isCompactJson(came.slice(before.length, came.length - after.length), only.value);
}

function isCompactJson(text: string, value: Json): boolean {
  try {
    return isEqual(JSON.parse(text) as Json, value) && !/\s/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''));
  } catch {
    return false;
  }
}

/** A text with a name that may have a value that the caller gave: it is wrong where the others stayed as they were. */
function openFindings(
  text: TextPair,
  parts: readonly TextPart[],
  valueOf: ValueOf,
  known: readonly NamedValue[],
): readonly RowFinding[] {
  const [first] = known;
  const { written, came } = text;
  const wanted = filled(parts, valueOf);
  const digits = written
    .match(/(?<!\$)\$\d+/g)
    ?.find((sign) => typeof came === 'string' && !came.includes(sign));
  if (digits !== undefined) return [['SEP-46', mismatch(`${digits} as it is written`, shown(came))]];
  if (first === undefined || wanted === written) return [];
  if (came === wanted) return exercisedAll(['SEP-43', ...rowsOfParts(text, parts, valueOf)]);
  return came === written ? [[rowOfStayed(text, first), mismatch(shown(wanted), shown(came))]] : [];
}

/** The rows that the form of a text shows, besides its values. */
const rowsOfParts = (
  { written }: TextPair,
  parts: readonly TextPart[],
  valueOf: ValueOf,
): readonly string[] => [
  ...(parts.some(({ is }) => is === 'escape') ? ['SEP-97'] : []),
  ...(/(?<!\$)\$\d/.test(written) || parts.some((part) => hasShorter(part, valueOf)) ? ['SEP-46'] : []),
];

/** Whether a shorter name than that of a reference has a value. */
const hasShorter = (part: TextPart, valueOf: ValueOf): boolean =>
  part.is === 'reference' &&
  Array.from({ length: part.name.length - 1 }, (_, i) => part.name.slice(0, i + 1)).some(
    (name) => valueOf(name) !== undefined,
  );

/** The row that a wrong text breaks; undefined: it has neither references nor other signs. */
function rowOfWrongText(
  text: TextPair,
  parts: readonly TextPart[],
  valueOf: ValueOf,
  known: readonly NamedValue[],
): string | undefined {
  const { written, came } = text;
  const [first] = known;
  if (first === undefined) return rowsOfParts(text, parts, valueOf)[0];
  if (typeof came !== 'string') return 'SEP-43';
  if (came === written) return rowOfStayed(text, first);
  const forms = {
    'SEP-43': [filled(parts, valueOf, exactText)],
    'SEP-97': [filled(parts.map(keepEscape), valueOf), filled(parts.map(readEscape), valueOf)],
    'SEP-46': [shortest(written, valueOf)],
    'SEP-41': [filled(parts, (name) => ofIdAlone(valueOf(name)))],
  };
  const [row] = Object.entries(forms).find(([, texts]) => texts.includes(came)) ?? [];
  return row ?? (known.some(({ value }) => refersAgain(value, valueOf)) ? 'SEP-48' : 'SEP-43');
}

const keepEscape = (part: TextPart): TextPart =>
  part.is === 'escape' ? { is: 'text', text: part.text } : part;
const readEscape = (part: TextPart): TextPart =>
  part.is === 'escape' ? { is: 'reference', name: part.name, text: part.text } : part;

const ofIdAlone = (named: NamedValue | undefined): NamedValue | undefined =>
  named?.ofId === undefined ? named : { ...named, value: named.ofId };

/** A text in which the shortest name that has a value counts. */
const shortest = (written: string, valueOf: ValueOf): string =>
  written.replaceAll(/(?<!\$)\$([A-Za-z_]\w*)/g, (all, name: string) => {
    for (let end = 1; end <= name.length; end++) {
      const named = valueOf(name.slice(0, end));
      if (named !== undefined) return textForm(named.value) + name.slice(end);
    }
    return all;
  });

/** Whether a value has one form as compact JSON, whatever writes it: no keys to sort, no fractions, no escapes. */
const hasOneForm = (value: Json): boolean =>
  typeof value === 'string' ||
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0));
