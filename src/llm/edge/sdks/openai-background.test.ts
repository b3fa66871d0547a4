/** The `openai` SDK reads a response in the background again, asks for it, cancels it, and compacts an input. */
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import { opened } from './simulated.test-helper.ts';

const clientOf = (url: string): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x', maxRetries: 0 });

it('is resumed behind the last event that came', async () => {
  const llm = await opened(script().text('Hello, world.').barrier('later'));
  const client = clientOf(llm.url);
  const first = await client.responses.create({ model: 'm', input: 'Hi', background: true, stream: true });
  let id = '';
  let last = -1;
  for await (const event of first) {
    if (event.type === 'response.created') id = event.response.id;
    last = event.sequence_number;
    if (event.type === 'response.output_text.delta') break;
  }
  llm.release('later');
  const again = await client.responses.retrieve(id, { stream: true, starting_after: last });
  const types: string[] = [];
  for await (const event of again) {
    expect(event.sequence_number).toBe(++last);
    types.push(event.type);
  }
  expect(types.at(-1)).toBe('response.completed');
  expect((await client.responses.retrieve(id)).output_text).toBe('Hello, world.');
});

it('is cancelled', async () => {
  const llm = await opened(script().text('Hello.').barrier('never'));
  const client = clientOf(llm.url);
  const { id, status } = await client.responses.create({ model: 'm', input: 'Hi', background: true });
  expect(status).toBe('queued');
  expect((await client.responses.cancel(id)).status).toBe('cancelled');
});

it('is compacted', async () => {
  const llm = await opened(script().text('Hello.'));
  const input = [{ role: 'user', content: 'Hi' } as const, { role: 'assistant', content: 'Hello.' } as const];
  const { object, output } = await clientOf(llm.url).responses.compact({ model: 'gpt-5', input });
  expect([object, output.map(({ type }) => type)]).toEqual([
    'response.compaction',
    ['message', 'compaction'],
  ]);
});
