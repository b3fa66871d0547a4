/** The server keeps spec/sep/feeds.openapi.yaml: every answer that the page names is given, in the form that it names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../kit/base/index.ts';
import { packageRoot } from '../../kit/spec/index.ts';
import { until } from '../../kit/world/until.test-helper.ts';
import { mostUnreadBytes } from './feed-places.ts';
import { feedServerLimits, pipelined } from './feed-server.ts';
import { mostAnswer, mostRequest } from './feed-contract.ts';
import { ask, closeServers, served } from './feed-server.test-helper.ts';
import type { TestAnswer, TestRequest } from './feed-server.test-helper.ts';

interface Reply {
  readonly headers?: { readonly [name: string]: { readonly required: boolean; readonly schema: JsonObject } };
  readonly content: { readonly 'application/json': { readonly schema: JsonObject } };
}

interface Page {
  readonly info: { readonly description: string };
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly responses: { readonly [status: string]: Reply | { readonly $ref: string } };
        readonly requestBody?: Reply;
      };
    };
  };
  readonly components: {
    readonly responses: { readonly [name: string]: Reply };
    readonly schemas: JsonObject;
  };
}

const page = parse(
  readFileSync(join(packageRoot(), 'spec/sep/feeds.openapi.yaml'), 'utf8').replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  ),
) as Page;

const ajv = new Ajv2020({ strict: true });
const fits = (schema: JsonObject, value: unknown): unknown => {
  const validate = ajv.compile({ ...schema, $defs: page.components.schemas });
  return validate(value) ? [] : validate.errors;
};

const replyOf = (reply: Reply | { readonly $ref: string }): Reply =>
  '$ref' in reply ? (page.components.responses[reply.$ref.split('/').at(-1) ?? ''] as Reply) : reply;

/** Every answer of the page, such as `get /feeds 200`. */
const answers = Object.entries(page.paths).flatMap(([path, methods]) =>
  ['get', 'post'].flatMap((method) =>
    Object.entries(methods[method]?.responses ?? {}).map(
      ([status, reply]) => [`${method} ${path} ${status}`, replyOf(reply), Number(status)] as const,
    ),
  ),
);

const token = 'k3y';
const mine = { authorization: `Bearer ${token}` };
const get = (path: string, headers: TestRequest['headers'] = mine): TestRequest => ({ path, headers });
const post = (path: string, more: Partial<TestRequest> = {}): TestRequest => ({
  path,
  method: 'POST',
  headers: mine,
  body: { params: { x: 1 } },
  ...more,
});
const foreign = { ...mine, host: 'evil.example' };

/** A request for each answer. `busy`: while another fetch has the only place. */
const requests: { readonly [answer: string]: TestRequest & { readonly busy?: true } } = {
  'get /feeds 200': get('/feeds'),
  'get /feeds 400': get('/feeds?all=1'),
  'get /feeds 401': get('/feeds', {}),
  'get /feeds 403': get('/feeds', foreign),
  'get /feeds 405': { ...get('/feeds'), method: 'DELETE' },
  'get /feeds/{id} 200': get('/feeds/echo'),
  'get /feeds/{id} 400': get('/feeds/%zz'),
  'get /feeds/{id} 401': get('/feeds/echo', { authorization: 'Bearer other' }),
  'get /feeds/{id} 403': get('/feeds/echo', { ...mine, origin: 'https://evil.example' }),
  'get /feeds/{id} 404': get('/feeds/nothing'),
  'get /feeds/{id} 405': { ...get('/feeds/echo'), method: 'PUT' },
  'get /feeds/{id} 502': get('/feeds/failing'),
  'get /feeds/{id} 503': { ...get('/feeds/echo'), busy: true },
  'get /feeds/{id} 504': get('/feeds/held'),
  'post /feeds/{id} 200': post('/feeds/echo'),
  'post /feeds/{id} 400': post('/feeds/echo', { body: { parameters: {} } }),
  'post /feeds/{id} 401': post('/feeds/echo', { headers: {} }),
  'post /feeds/{id} 403': post('/feeds/echo', { headers: foreign }),
  'post /feeds/{id} 404': post('/feeds/nothing'),
  'post /feeds/{id} 413': post('/feeds/echo', { body: { params: { x: 'x'.repeat(mostRequest) } } }),
  'post /feeds/{id} 415': post('/feeds/echo', { headers: { ...mine, 'content-type': 'text/plain' } }),
  'post /feeds/{id} 502': post('/feeds/failing'),
  'post /feeds/{id} 503': post('/feeds/echo', { busy: true } as Partial<TestRequest>),
  'post /feeds/{id} 504': post('/feeds/held'),
};

closeServers();

async function answered({ busy, ...request }: TestRequest & { readonly busy?: true }): Promise<TestAnswer> {
  let holds = 0;
  const server = await served(
    {
      echo: (params) => ({ value: params }),
      failing: () => ({ error: 'the disk is full' }),
      held: () => new Promise<never>(() => void holds++),
    },
    { token, timeout: busy === true ? 10_000 : 50, mostFetches: 1 },
  );
  if (busy === true) {
    void ask(server, get('/feeds/held')).catch(() => {});
    await until(() => holds === 1);
  }
  return ask(server, request);
}

describe('the page of a feed server', () => {
  it('names answers, and this test asks for each of them', () => {
    expect(Object.keys(requests).toSorted()).toEqual(answers.map(([name]) => name).toSorted());
  });

  it.each(answers)('%s is what the server answers', async (name, { content, headers = {} }, status) => {
    const came = await answered(requests[name] as TestRequest);
    expect({ status: came.status, json: came.json }).toMatchObject({ status });
    expect(came.headers['content-type']).toMatch(/^application\/json\b/);
    expect(fits(content['application/json'].schema, came.json)).toEqual([]);
    for (const [header, { schema }] of Object.entries(headers))
      expect(fits(schema, came.headers[header])).toEqual([]);
  });

  it('has schemas that refuse what the contract forbids', () => {
    const refuses = (name: string, value: unknown): void =>
      expect(fits({ $ref: `#/$defs/${name}` }, value)).not.toEqual([]);
    const at = '2026-01-31T12:00:00.000Z';
    expect(fits({ $ref: '#/$defs/Value' }, { id: 'a', value: null, at, stale: true })).toEqual([]);
    for (const value of [
      { id: 'a', at },
      { id: 'a', value: 1 },
      { id: 'a', value: 1, at: 'noon' },
    ])
      refuses('Value', value);
    refuses('Error', { error: { message: 'no sentence' } });
    refuses('Feeds', [{ id: 'a' }]);
    refuses('Request', { params: [] });
  });

  it('names the limits that the server has', () => {
    const { description } = page.info;
    for (const sentence of [
      `A body has at most ${mostRequest >> 10} KiB`,
      `an answer at most ${mostAnswer >> 20} MiB`,
      `at most ${feedServerLimits.mostFetches} values at a time`,
      `at most ${mostUnreadBytes >> 20} MiB of large answers`,
      `at most ${pipelined} open requests`,
    ])
      expect(description.replaceAll(/\s+/g, ' ')).toContain(sentence);
  });
});
