/** Routes of the command line: `CLIENT/MODEL=PROVIDER/MODEL@URL,URL` (`wireproof simulate llm/gateway --help`). */
import { expect, it } from 'vitest';
import { routeOfFlag } from './route-flag.ts';

it('has dialects, models and URLs', () => {
  expect(routeOfFlag('anthropic=openai-chat@http://127.0.0.1:4010/')).toEqual({
    client: 'anthropic',
    provider: 'openai-chat',
    url: 'http://127.0.0.1:4010',
  });
  expect(routeOfFlag('ollama/a=openai-responses/b/c@https://one.example/x,http://two.example')).toEqual({
    client: 'ollama',
    model: 'a',
    provider: 'openai-responses',
    served: 'b/c',
    url: 'https://one.example/x',
    fallback: 'http://two.example',
  });
});

it.each([
  ['anthropic', /expected CLIENT=PROVIDER@URL/],
  ['antropic=ollama@http://a', /no dialect "antropic" \(did you mean anthropic\?\)/],
  ['anthropic=ollama@ftp://a', /expected a URL of http or https; came "ftp:\/\/a"/],
  ['anthropic=ollama@http://a,b', /expected a URL of http or https; came "b"/],
  ['anthropic=ollama@http://a,http://b,http://c', /expected one URL, or two with a comma/],
])('refuses %s', (text, message) => {
  expect(() => routeOfFlag(text)).toThrow(message);
});
