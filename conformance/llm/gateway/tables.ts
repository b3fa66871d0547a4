/** The tables of translations: spec/llm/translation. Each cell has its source. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';
import { readSpecTable } from '../../../src/kit/spec/index.ts';
import type { GatewayDialect } from '../../../src/llm/gateway/index.ts';
import { ends, errors, requests } from '../generated/translation-validators.ts';

/** The words that one side may have for a word of the other one. */
export interface Cell {
  /** The first is the best. */
  readonly may: readonly string[];
  /** The documents allow no verdict. */
  readonly undecided?: true;
  /** The document that says so. */
  readonly source: string;
}

let read: Json | undefined;

/** The words that a client of a dialect may hear for an end; undefined for an end that is in no table. */
export function endCell(end: string, dialect: GatewayDialect): Cell | undefined {
  read ??= readSpecTable('llm', 'translation/ends.yaml', ends);
  return cellOf(memberIn(read, 'ends', end), dialect);
}

function cellOf(row: Json | undefined, dialect: GatewayDialect): Cell | undefined {
  const may = memberIn(row, dialect, 'may');
  if (!isArray(may)) return undefined;
  const words = may.filter((word) => typeof word === 'string');
  const cell = { may: words, source: sourceOf(row) };
  return memberIn(row, dialect, 'undecided') === true ? { ...cell, undecided: true } : cell;
}

function sourceOf(row: Json | undefined): string {
  const source = memberOf(row, 'source');
  return typeof source === 'string' ? source : '';
}

/** The document behind a part of the table of requests, such as `stops`, or `temperature` in `ranges`. */
export const askedSource = (...path: readonly string[]): string => sourceOf(askedValue(...path));

let asked: Json | undefined;

/** A value of the table of requests. */
function askedValue(...path: readonly string[]): Json | undefined {
  asked ??= readSpecTable('llm', 'translation/requests.yaml', requests);
  return memberIn(asked, ...path);
}

/** The words that a provider of a dialect may be asked with, for a word of the client. */
export const askedCell = (word: string, dialect: GatewayDialect): Cell | undefined =>
  cellOf(askedValue('words', word), dialect);

/** The range of a number in a dialect. */
export function rangeOf(
  name: 'temperature' | 'topP',
  dialect: GatewayDialect,
): { readonly least: number; readonly most: number } {
  const bound = (key: string, otherwise: number): number => {
    const value = askedValue('ranges', name, dialect, key);
    return typeof value === 'number' ? value : otherwise;
  };
  return { least: bound('least', -Infinity), most: bound('most', Infinity) };
}

/** The most stop sequences of a dialect; 0: it has no word for them. */
export function mostStops(dialect: GatewayDialect): number {
  const most = askedValue('stops', dialect, 'most');
  return typeof most === 'number' ? most : Infinity;
}

/** Whether a message of the user can have such an image or file, as bytes or as the place from which others get them. */
export function takesMedia(dialect: GatewayDialect, kind: 'image' | 'file', form: 'bytes' | 'url'): boolean {
  const forms = askedValue('media', kind, dialect);
  return isArray(forms) && forms.includes(form);
}

/** Whether a dialect can carry the name of a tool. Another name is changed. */
export function carriesName(dialect: GatewayDialect, name: string): boolean {
  const pattern = askedValue('names', dialect, 'pattern');
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(name);
}

/** What a client may get for a class of errors. */
export interface ErrorClass {
  readonly statuses: readonly number[];
  readonly undecided: boolean;
  /** The lawful words for the type of the error. */
  types(dialect: GatewayDialect): readonly string[];
}

let failed: Json | undefined;

const errorsValue = (...path: readonly string[]): Json | undefined => {
  failed ??= readSpecTable('llm', 'translation/errors.yaml', errors);
  return memberIn(failed, ...path);
};

/** Both of OpenAI's APIs have the same errors. */
const familyOf = (dialect: GatewayDialect): string => (dialect === 'anthropic' ? 'anthropic' : 'openai');

const stringsIn = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.filter((word) => typeof word === 'string') : [];

/** The class of a provider's error; undefined for a status that is in no table. */
export function errorClass(status: number, words: readonly string[]): ErrorClass | undefined {
  const named = words.map((word) => errorsValue('words', word)).find((name) => name !== undefined);
  const name = named ?? errorsValue('statuses', String(status));
  if (typeof name !== 'string') return undefined;
  const may = errorsValue('classes', name, 'status', 'may');
  return {
    statuses: isArray(may) ? may.filter((one) => typeof one === 'number') : [],
    undecided: errorsValue('classes', name, 'status', 'undecided') === true,
    types: (dialect) => stringsIn(errorsValue('classes', name, familyOf(dialect))),
  };
}

/** Whether a type of errors is a word of the dialect. Gateways pass on words of others. */
export function isErrorWord(dialect: GatewayDialect, word: string): boolean {
  const classes = errorsValue('classes');
  return (
    isObject(classes) &&
    Object.keys(classes).some((name) => stringsIn(memberIn(classes[name], familyOf(dialect))).includes(word))
  );
}

const memberIn = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce((inner, key) => memberOf(inner, key), value);

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) ? value[key] : undefined;
