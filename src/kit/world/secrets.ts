/** Finds secrets by their usual names: in headers, in URLs, and in the arguments of a command. */

/** Headers whose values are secrets in every protocol (lower case). */
export const secretHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'api-key',
  'x-api-key',
  'x-goog-api-key',
  'x-amz-security-token',
  'x-auth-token',
];

/** The end of a name whose value is a secret, as in `api_key`, `ACCESS-TOKEN` and `client_secret`. */
const secretName = '(?:key|token|secret|password|passwd|credentials?|signature|sig)';

/** A parameter of a URL with a secret name, and its value. */
const parameter = new RegExp(`([?&](?:[\\w.%-]*[_.-])?(?:api|access|auth)?${secretName}=)([^&#\\s]+)`, 'giu');

/** The user and the password in a URL. */
const userInfo = /(:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gu;

/**
 * A URL or a path without the secrets in its query and in its user information.
 *
 * @example
 * withoutUrlSecrets('/v1/models?key=abc&alt=sse', () => 'hidden'); // '/v1/models?key=hidden&alt=sse'
 */
export const withoutUrlSecrets = (url: string, redact: (secret: string) => string): string =>
  url
    .replace(parameter, (_, name: string, value: string) => name + redact(value))
    .replace(userInfo, (_, user: string, value: string) => user + redact(value));

/** A flag whose value is a secret: the next argument, or the text after `=`. `--max-tokens` and `--key-file` are not such flags. */
const flag = new RegExp(`^(--?(?:[\\w-]*[_-])?(?:api|access|auth)?${secretName})(?:=(.*))?$`, 'iu');

/** A variable that is set in front of a command. */
const variable = new RegExp(`^((?:\\w*_)?(?:api|access|auth)?${secretName}=)(.+)$`, 'iu');

/** The text that stands for a secret in a command. */
const hidden = 'hidden';

/**
 * A command's arguments without secrets, for reports and traces.
 *
 * @example
 * withoutSecretArguments(['agent', '--api-key', 'sk-1']); // ['agent', '--api-key', 'hidden']
 */
export function withoutSecretArguments(command: readonly string[]): string[] {
  let isSecret = false;
  return command.map((argument) => {
    const follows = isSecret && !argument.startsWith('-');
    const [, name, value] = flag.exec(argument) ?? [];
    isSecret = name !== undefined && value === undefined;
    if (follows) return hidden;
    if (name !== undefined && value !== undefined) return `${name}=${hidden}`;
    const set = variable.exec(argument);
    if (set !== null) return `${set[1] ?? ''}${hidden}`;
    return withoutUrlSecrets(argument, () => hidden)
      .replace(/\b(Bearer|Basic) +\S+/gu, `$1 ${hidden}`)
      .replace(/\b(?:sk|pk|ghp|gho|xox[abp])[-_][\w-]{16,}/gu, hidden);
  });
}
