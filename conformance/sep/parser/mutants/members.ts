/** Parsers that report less, or read the members of bodies in another way. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { emitsActions, mutant, reads, silentAbout } from './mutant.ts';
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
export const memberMutants: readonly Mutant[] = [
  mutant(18, 'open-thoughts-silently', 'It reports no open thought.', silentAbout('unclosed-thought')),
  mutant(18, 'open-responses-silently', 'It reports no open response.', silentAbout('unclosed-response')),
  mutant(24, 'nameless-silently', 'It reports no missing name.', silentAbout('missing-name')),
  mutant(26, 'twice-silently', 'It reports no id that came before.', silentAbout('duplicate-id')),
  mutant(27, 'types-silently', 'It reports no unknown type.', silentAbout('unknown-type')),
  mutant(27, 'modes-silently', 'It reports no unknown mode.', silentAbout('unknown-mode')),
  mutant(36, 'attribute-silently', 'It reports no attribute.', silentAbout('attribute-depends-on')),
  mutant(23, 'text-timeouts', 'It reads a text as a time.', makes('timeout', isText, Number)),
  mutant(
    23,
    'true-timeouts',
    'It takes true for the number 1.',
    makes('timeout', (value) => value === true, Number),
  ),
  mutant(
    23,
    'low-retries',
    'It takes a negative number of attempts for none.',
    makes(
      'retry',
      (value) => Number(value) < 0,
      () => 0,
    ),
  ),
  mutant(
    23,
    'any-reaction',
    'An unknown on_error is skip.',
    makes(
      'on_error',
      (value) => isText(value) && !['skip', 'fail', 'retry'].includes(value as string),
      () => 'skip',
    ),
  ),
  mutant(
    23,
    'number-keys',
    'It takes a number for an output key.',
    makes('output_key', (value) => typeof value === 'number', String),
  ),
  mutant(
    23,
    'text-depends',
    'It takes a text for a list of ids.',
    makes('depends_on', isText, (value) => [value]),
  ),
  mutant(
    23,
    'list-parameters',
    'It takes a list for no parameters.',
    makes('parameters', Array.isArray, () => ({})),
  ),
  mutant(
    147,
    'strict-members',
    'It refuses a body with a member that it does not know.',
    rereads((body) => (Object.keys(body).every((name) => known.has(name)) ? body : undefined)),
  ),
  mutant(
    147,
    'members-in-parameters',
    'It takes other members for parameters.',
    rereads((body) => {
      const others = Object.entries(body).filter(([name]) => !known.has(name));
      return others.length === 0
        ? body
        : { ...body, parameters: { ...Object.fromEntries(others), ...(body['parameters'] as JsonObject) } };
    }),
  ),
  mutant(
    147,
    'members-in-any-case',
    'It takes Timeout for timeout.',
    rereads((body) => (body['Timeout'] === undefined ? body : { ...body, timeout: body['Timeout'] })),
  ),
  mutant(147, 'no-reaction', 'It loses on_error.', loses('on_error')),
  mutant(147, 'no-retry', 'It loses retry.', loses('retry')),
  mutant(147, 'no-timeout', 'It loses timeout.', loses('timeout')),
  mutant(
    148,
    'refuses-null',
    'It refuses a body in which a time or a number is null.',
    rereads((body) => (hasNull(body, 'timeout', 'retry', 'on_error') ? undefined : body)),
  ),
  mutant(
    148,
    'refuses-null-keys',
    'It refuses a body whose output key is null.',
    rereads((body) => (hasNull(body, 'output_key') ? undefined : body)),
  ),
  mutant(
    148,
    'null-as-text',
    'It makes a text of null.',
    rereads((body) => (hasNull(body, 'output_key') ? { ...body, output_key: 'null' } : body)),
  ),
  mutant(
    148,
    'refuses-null-parameters',
    'It refuses a body whose parameters are null.',
    rereads((body) => (hasNull(body, 'parameters') ? undefined : body)),
  ),
];
