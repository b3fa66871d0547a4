/** Reads recordings. A file that cannot be played is refused here, with the place and the finding, not at a request. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { closeSync, openSync, readSync } from 'node:fs';
import { WireproofError, clip, isArray, isObject, jsonOf } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { checkFile, readUserFile } from '../../../kit/spec/user-file.ts';
import { isPieces } from './piece.ts';
import { mostBytes } from './recording.ts';
import type { Recording } from './recording.ts';

const expected = { kind: 'a recording', most: mostBytes };

/**
 * Reads a recording.
 *
 * @throws WireproofError 'usage' when the file is not a recording, or an exchange of it cannot be played
 */
export function readRecording(file: string): Recording {
  const text = readUserFile(file, expected);
  let value: Json;
  try {
    value = jsonOf(text);
  } catch (error) {
    throw new WireproofError('usage', `${file}: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (!isObject(value) || value['wireproof'] !== 'recording/1' || !isArray(value['exchanges']))
    throw new WireproofError(
      'usage',
      `${file}: expected a recording ("wireproof": "recording/1"), as --record-from writes it; --script plays scripts`,
    );
  const [wrong] = value['exchanges'].flatMap((one, i) => {
    const fault = faultOf(one);
    return fault === undefined ? [] : [`exchanges[${i}]${fault}`];
  });
  if (wrong !== undefined) throw new WireproofError('usage', `${file}: ${wrong}`);
  return value as unknown as Recording;
}

/** Whether a file begins as a recording does. */
export function isRecording(file: string): boolean {
  try {
    checkFile(file, { kind: 'a recording' });
    return /^\s*\{\s*"wireproof":\s*"recording\//.test(beginningOf(file));
  } catch {
    return false;
  }
}

function beginningOf(file: string): string {
  const buffer = Buffer.alloc(200);
  const descriptor = openSync(file, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The place in an exchange that cannot be played, with the expectation; undefined: all of it can. */
function faultOf(one: Json): string | undefined {
  if (!isObject(one)) return `: expected an object; came ${shown(one)}`;
  return (
    wrongAt(one, 'method', 'a method of HTTP, such as "POST"', isMethod) ??
    wrongAt(one, 'path', 'a path that begins with /', isPath) ??
    wrongAt(one, 'status', 'a number from 200 to 999', isStatus) ??
    headersFault(one['headers']) ??
    wrongAt(one, 'body', 'a string', isOptional(isString)) ??
    wrongAt(one, 'base64', 'a string of base64', isOptional(isBase64)) ??
    wrongAt(one, 'pieces', 'pieces such as "150/122 20/7": milliseconds and bytes', isOptional(arePieces))
  );
}

function wrongAt(
  one: JsonObject,
  name: string,
  expectation: string,
  fits: (value: Json | undefined) => boolean,
): string | undefined {
  const value = one[name];
  return fits(value) ? undefined : `.${name}: expected ${expectation}; came ${shown(value)}`;
}

const isString = (value: Json | undefined): value is string => typeof value === 'string';

const isOptional =
  (fits: (value: Json | undefined) => boolean) =>
  (value: Json | undefined): boolean =>
    value === undefined || fits(value);

const isMethod = (value: Json | undefined): boolean => isString(value) && /^[A-Za-z-]{1,40}$/.test(value);

const isPath = (value: Json | undefined): boolean => isString(value) && value.startsWith('/');

/** A status below 200 is no end of an exchange; one above 999 has no form in HTTP. */
const isStatus = (value: Json | undefined): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 999;

const isBase64 = (value: Json | undefined): boolean =>
  isString(value) && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);

const arePieces = (value: Json | undefined): boolean => isString(value) && isPieces(value);

function headersFault(headers: Json | undefined): string | undefined {
  if (!isObject(headers)) return `.headers: expected an object; came ${shown(headers)}`;
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name, value))
      return `.headers[${JSON.stringify(clip(name, 60))}]: expected the name and the value of a header field, without control characters; came ${shown(value)}`;
  return undefined;
}

function isHeader(name: string, value: Json): boolean {
  if (!isString(value)) return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const shown = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : clip(JSON.stringify(value), 80);
