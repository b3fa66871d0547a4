/** Where a target that runs already finds the kit's provider: flags and statement, and what is refused. */
import { expect, it } from 'vitest';
import { llmGatewaySuite } from '../../conformance/llm/gateway/suite.ts';
import { sidePlaces } from './side-places.ts';

it('a flag counts before the statement', () => {
  const stated = { llm_url: '127.0.0.1:1', llm_url_2: '[::1]:2' };
  expect(sidePlaces(llmGatewaySuite, ['llm_url=localhost:3'], stated)).toEqual({
    llm_url: { host: 'localhost', port: 3 },
    llm_url_2: { host: '::1', port: 2 },
  });
});

it.each([
  ['lm_url=127.0.0.1:1', /did you mean llm_url\?.*are llm_url, llm_url_2/],
  ['llm_url', /expected host:port, such as llm_url=127\.0\.0\.1:8090; came ""/],
  ['llm_url=127.0.0.1', /came "127\.0\.0\.1"/],
])('refuses %s', (flag, sentence) => {
  expect(() => sidePlaces(llmGatewaySuite, [flag])).toThrow(sentence);
});

it('refuses a server that no target of the suite asks', () => {
  expect(() => sidePlaces({ id: 'toon/codec' }, ['llm_url=127.0.0.1:1'])).toThrow(
    /asks no server of the kit/,
  );
});
