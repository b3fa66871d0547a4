/** Parsers that report less, or read the members of bodies in another way. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { emitsActions, reads, silentAbout } from './mutant.ts';
import type { ParserFaults } from './mutant.ts';
import { firstClose, isJson, rebodied } from './walk.ts';

/** A parser that reads another value of a body. Undefined: no action comes of it. */
const rereads = (edit: (body: JsonObject) => JsonObject | undefined): AnswerFault =>
  reads((output) =>
    rebodied(output, firstClose, (text) => {
      const body = isJson(text) ? (JSON.parse(text) as Json) : null;
      const edited = isObject(body) ? edit(body) : body;
      return edited === body ? text : edited === undefined ? '!' : JSON.stringify(edited);
    }),
  );

/** A parser that makes a value of a wrong one under a name, and says nothing. */
const makes = (name: string, isWrong: (value: Json) => boolean, edit: (value: Json) => Json): AnswerFault =>
  rereads((body) => {
    const value = body[name] ?? null;
    return isWrong(value) ? { ...body, [name]: edit(value) } : body;
  });

const isText = (value: Json): boolean => typeof value === 'string';

/** The members of a body that mean something. */
const known = new Set([
  'name',
  'parameters',
  'output_key',
  'depends_on',
  'timeout',
  'retry',
  'retry_count',
  'on_error',
  'skip_on_error',
  'rollback',
]);

/** A parser that loses a member of actions. */
const loses = (name: string): AnswerFault =>
  emitsActions((action) => Object.fromEntries(Object.entries(action).filter(([key]) => key !== name)));

/** The members that are null in a body. */
const hasNull = (body: JsonObject, ...names: readonly string[]): boolean =>
  names.some((name) => body[name] === null);

/** The mutants of reports and members. */
export const memberFaults: ParserFaults = {
  'open-thoughts-silently': silentAbout('unclosed-thought'),
  'open-responses-silently': silentAbout('unclosed-response'),
  'nameless-silently': silentAbout('missing-name'),
  'twice-silently': silentAbout('duplicate-id'),
  'types-silently': silentAbout('unknown-type'),
  'modes-silently': silentAbout('unknown-mode'),
  'attribute-silently': silentAbout('attribute-depends-on'),
  'text-timeouts': makes('timeout', isText, Number),
  'true-timeouts': makes('timeout', (value) => value === true, Number),
  'low-retries': makes(
    'retry',
    (value) => Number(value) < 0,
    () => 0,
  ),
  'any-reaction': makes(
    'on_error',
    (value) => isText(value) && !['skip', 'fail', 'retry'].includes(value as string),
    () => 'skip',
  ),
  'number-keys': makes('output_key', (value) => typeof value === 'number', String),
  'text-depends': makes('depends_on', isText, (value) => [value]),
  'list-parameters': makes('parameters', Array.isArray, () => ({})),
  'strict-members': rereads((body) =>
    Object.keys(body).every((name) => known.has(name)) ? body : undefined,
  ),
  'members-in-parameters': rereads((body) => {
    const others = Object.entries(body).filter(([name]) => !known.has(name));
    return others.length === 0
      ? body
      : { ...body, parameters: { ...Object.fromEntries(others), ...(body['parameters'] as JsonObject) } };
  }),
  'members-in-any-case': rereads((body) =>
    body['Timeout'] === undefined ? body : { ...body, timeout: body['Timeout'] },
  ),
  'no-reaction': loses('on_error'),
  'no-retry': loses('retry'),
  'no-timeout': loses('timeout'),
  'refuses-null': rereads((body) => (hasNull(body, 'timeout', 'retry', 'on_error') ? undefined : body)),
  'refuses-null-keys': rereads((body) => (hasNull(body, 'output_key') ? undefined : body)),
  'null-as-text': rereads((body) => (hasNull(body, 'output_key') ? { ...body, output_key: 'null' } : body)),
  'refuses-null-parameters': rereads((body) => (hasNull(body, 'parameters') ? undefined : body)),
};
