import { describe, expect, it } from 'vitest';
import { clientEventOf, operatorEventOf } from './events.ts';
import { streamEvents } from './methods.ts';
import { everyEvent, otherEvents } from '../fake.test-helper.ts';

const named = (reply: object): { name: string; data: unknown } => {
  const [name = '', data] = Object.entries(reply)[0] ?? [];
  return { name, data };
};

describe('events of ClientService', () => {
  const terminals = [
    { done: { full_response: 'x' } },
    { done: { full_response: '' } },
    { error: { error: 'no' } },
    { canceled: { reason: 'enough: yes' } },
    { canceled: { reason: '' } },
  ];
  for (const reply of [...everyEvent.slice(1), ...terminals]) {
    it(`${JSON.stringify(reply).slice(0, 60)} comes back as it was`, () => {
      const event = clientEventOf(named(reply), 'a-1');
      const decoded = streamEvents.answer.decode(streamEvents.answer.encode(event ?? {}));
      expect(decoded.ok && operatorEventOf(decoded.value.message)).toEqual(named(reply));
    });
  }

  it('has no place for some', () => {
    for (const reply of [everyEvent[0] ?? {}, ...otherEvents, { toString: {} }, { novelty: {} }])
      expect(clientEventOf(named(reply), 'a-1')).toBeUndefined();
    expect(operatorEventOf({ timestamp: 'x' })).toBeUndefined();
  });

  it.each([
    ['done', 'all of it', { name: 'done', data: { full_response: 'all of it' } }],
    ['EVENT_TYPE_DONE', '', { name: 'done', data: { full_response: '' } }],
    ['error', 'no', { name: 'error', data: { error: 'no' } }],
    ['error', 'cancelled: enough', { name: 'canceled', data: { reason: 'enough' } }],
    ['cancelled', 'enough', { name: 'canceled', data: { reason: 'enough' } }],
    ['message', 'hello', undefined],
    ['toString', '', undefined],
  ])('a stored event of type %s, %j, is read as the end that it is', (type, text, expected) => {
    const bytes = streamEvents.answer.encode({ event: { id: 'e-1', type, text } });
    const decoded = streamEvents.answer.decode(bytes);
    expect(decoded.ok && operatorEventOf(decoded.value.message)).toEqual(expected);
  });

  it('an approval says whose it is', () => {
    const data = { id: 'u', name: 'ls', input_json: '{}', request_id: 'r' };
    expect(clientEventOf({ name: 'tool_approval', data }, 'a-1')).toEqual({
      tool_approval: { agent_id: 'a-1', request_id: 'r', tool_id: 'u', tool_name: 'ls', input_json: '{}' },
    });
  });

  it('a state that the schema has not is left unspecified', () => {
    expect(clientEventOf({ name: 'tool_state', data: { id: 'u', state: 'flying' } }, 'a')).toEqual({
      tool_state: { id: 'u', state: 'TOOL_STATE_UNSPECIFIED' },
    });
  });
});
