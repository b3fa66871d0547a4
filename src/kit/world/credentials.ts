/**
 * The credentials that a user gives to the kit in environment variables, by their names: `--key-env NAME`. They are kept out
 * of traces and output, and out of the environment of programs that a model starts.
 */
import { WireproofError } from '../base/index.ts';

type Environment = { readonly [name: string]: string | undefined };

/** The values by the names of their variables. */
const given = new Map<string, string>();

/** A shorter value is no secret to look for: it would be found in words that are not secret. */
const shortest = 8;

/**
 * The credential in an environment variable.
 *
 * @param key - what has named the variable, for the error: `--key-env` or `operator.token_env`
 * @throws WireproofError 'usage' when the variable is not set
 */
export function credentialIn(variable: string, key: string, environment: Environment = process.env): string {
  const value = environment[variable] ?? '';
  if (value === '')
    throw new WireproofError('usage', `${key}: the environment variable ${variable} is not set`);
  given.set(variable, value);
  return value;
}

/** The variables of an environment that name no credential. */
export const withoutCredentialVariables = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !given.has(name)));

/**
 * A text without the credentials in it.
 *
 * @param more - further secrets
 */
export function withoutCredentials(
  text: string,
  redact: (secret: string) => string,
  more: readonly string[] = [],
): string {
  let rest = text;
  for (const value of [...given.values(), ...more])
    if (value.length >= shortest && rest.includes(value)) rest = rest.replaceAll(value, () => redact(value));
  return rest;
}

/** Whether any credential was given: most runs have none, and need no search. */
export const hasCredentials = (): boolean => given.size > 0;
