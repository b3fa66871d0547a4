/** Secrets by their usual names, and texts that only look like them. */
import { describe, expect, it } from 'vitest';
import { withoutSecretArguments, withoutUrlSecrets } from './secrets.ts';

describe('withoutSecretArguments', () => {
  it.each<[string, string]>([
    ['--api-key X', '--api-key hidden'],
    ['--apikey X', '--apikey hidden'],
    ['--api-key=X', '--api-key=hidden'],
    ['--token X --model m', '--token hidden --model m'],
    ['--client_secret X', '--client_secret hidden'],
    ['-password X', '-password hidden'],
    ['env OPENAI_API_KEY=X agent', 'env OPENAI_API_KEY=hidden agent'],
    ['--url https://u:X@host/a?api_key=X&b=1', '--url https://u:hidden@host/a?api_key=hidden&b=1'],
    ['--with sk-abcdefghijklmnopqrstuv', '--with hidden'],
    // These are no secrets.
    ['--max-tokens 100', '--max-tokens 100'],
    ['--key-file a.pem --tokenizer x', '--key-file a.pem --tokenizer x'],
    ['--token --verbose', '--token --verbose'],
    ['--token-env NAME', '--token-env NAME'],
    ['monkey=1 turkey=2', 'monkey=1 turkey=2'],
    ['--monkey 1', '--monkey 1'],
    ['python agent.py {address} /v1?monkey=1', 'python agent.py {address} /v1?monkey=1'],
  ])('%s: %s', (given, expected) => {
    expect(withoutSecretArguments(given.split(' ')).join(' ')).toBe(expected);
  });

  it('hides a header in one argument', () => {
    expect(withoutSecretArguments(['curl', '-H', 'Authorization: Bearer abc'])).toEqual([
      'curl',
      '-H',
      'Authorization: Bearer hidden',
    ]);
  });
});

describe('withoutUrlSecrets', () => {
  it('replaces each secret by its own text', () => {
    const shown = withoutUrlSecrets('/v1beta/models/m:generate?alt=sse&key=AIza1#x', (s) => `<${s.length}>`);
    expect(shown).toBe('/v1beta/models/m:generate?alt=sse&key=<5>#x');
  });
});
