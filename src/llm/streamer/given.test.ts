/** A client may send back what the script gave, whatever its form. */
import { expect, it } from 'vitest';
import { script } from '../script/builder.ts';
import { Stepped, anthropicBody } from './streamer.test-helper.ts';

const answering = (id: string): object => ({
  ...anthropicBody,
  messages: [
    ...anthropicBody.messages,
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
  ],
});

it('the id of a call that the script gave is accepted, and another one of its form is not', () => {
  const provider = new Stepped(
    script().toolCall('f', {}, { id: 'functions.f:0' }).turn().text('So.').times('always'),
  );
  provider.post('/v1/messages', anthropicBody);
  expect(provider.status(provider.post('/v1/messages', answering('functions.f:0') as never))).toBe('200');
  expect(provider.status(provider.post('/v1/messages', answering('functions.f:1') as never))).toBe('400');
});
