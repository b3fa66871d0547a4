/** The lines of commands: the published schema takes those that the driver takes, and refuses events without their fields. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../../kit/base/index.ts';
import { everyEvent, otherEvents } from '../fake.test-helper.ts';

const path = new URL('../../../../spec/fold/operator.schema.json', import.meta.url);
const schema: unknown = JSON.parse(readFileSync(path, 'utf8'));
if (!isObject(schema)) throw new Error('the schema of lines is no object');
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

const terminals = [
  { done: { full_response: 'x' } },
  { error: { error: 'no' } },
  { canceled: { reason: 'enough' } },
];
const counts = {
  input_tokens: 1,
  output_tokens: 2,
  cache_read_tokens: 0,
  cache_write_tokens: 4,
  thinking_tokens: 5,
};
const answers = [
  { ok: {} },
  { injected: { injection_id: 'i-1' } },
  {
    agents: [
      {
        id: 'a',
        name: 'n',
        backend: 'b',
        working_dir: '/',
        instance_id: 'i',
        capabilities: [],
        workspaces: [],
      },
    ],
  },
  { thread_usage: { thread_id: 't', usage: [{ request_id: 'r', agent_id: 'a', ...counts }] } },
  { stats: { total_input: 1, total_output: 2, total_tokens: 3, request_count: 1 } },
];

describe('spec/fold/operator.schema.json', () => {
  it.each([...everyEvent, ...otherEvents, ...terminals])('takes the event %j in both forms', (reply) => {
    const [name = '', data] = Object.entries(reply)[0] ?? [];
    const fields: object = isObject(data) ? data : {};
    expect(validate(reply), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ event: name, ...fields }), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(answers)('takes the answer %j', (answer) => {
    expect(validate(answer), JSON.stringify(validate.errors)).toBe(true);
  });

  it('takes events of unknown names', () => {
    expect(validate({ event: 'weather', wind: 3 })).toBe(true);
    expect(validate({ weather: { wind: 3 } })).toBe(true);
  });

  it.each([
    {},
    'text',
    { text: 'hello' },
    { event: 'text' },
    { event: 3 },
    { text: { text: 'a' }, done: {} },
    { tool_state: { id: 'u' } },
    { event: 'error' },
    { thread_usage: { usage: [] } },
    { thread_usage: { thread_id: 't', usage: [{ input_tokens: '1' }] } },
  ])('refuses %j', (line) => {
    expect(validate(line)).toBe(false);
  });
});
