/**
 * Interactions at the provider. Sources: @google/genai 3.3, `CreateModelInteraction` (previous_interaction_id, store, background),
 * `GetInteractionByIdRequest` (last_event_id: "resumes the interaction stream from the chunk after the event marked by the event id"),
 * `Interactions.cancel`; Gemini API, API errors.
 */
import { describe, expect, it } from 'vitest';
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { script } from '../script/builder.ts';
import { Stepped } from './streamer.test-helper.ts';

const path = '/v1beta/interactions';
let links = 0;

/** Asks for a path by GET or by POST without a body. */
function ask(role: Stepped, method: string, target: string): string {
  const peer = `i${++links}`;
  role.step({ type: 'opened', peer, metadata: { ':carrier': 'http', ':method': method, ':path': target } });
  role.step({ type: 'half_close', peer });
  return peer;
}

const begin = (role: Stepped, more: JsonObject = {}): string =>
  role.post(path, { model: 'm', input: 'Hi', stream: true, ...more });

const dataOf = (role: Stepped, peer: string): readonly Json[] =>
  role.sent(peer).map(({ data }) => data ?? null);

const eventsOf = (role: Stepped, peer: string): readonly JsonObject[] =>
  dataOf(role, peer).filter((data) => isObject(data));

const idsOf = (role: Stepped, peer: string): readonly Json[] =>
  eventsOf(role, peer).map(({ event_id: id = null }) => id);

/** The interaction in the last event that has one, or the answer itself. */
function interactionOf(role: Stepped, peer: string): JsonObject {
  const found = eventsOf(role, peer).findLast((event) => isObject(event['interaction']) || 'steps' in event);
  const inside = found?.['interaction'];
  return isObject(inside) ? inside : (found ?? {});
}

const idOf = (role: Stepped, peer: string): string => String(interactionOf(role, peer)['id']);

const bodyOf = (role: Stepped, peer: string): unknown => JSON.parse(role.text(peer));

describe('an interaction that is kept', () => {
  it('is continued with the result of its call, and its thought is part of the conversation', () => {
    const role = new Stepped(
      script()
        .thinking('I look.', { signature: 'c2ln' })
        .toolCall('look', { at: 'it' })
        .turn()
        .match({ toolResult: 'look' })
        .text('There it is.'),
    );
    const first = begin(role);
    expect(interactionOf(role, first)).toMatchObject({ status: 'requires_action' });
    const call = eventsOf(role, first).find(({ step }) => isObject(step) && step['type'] === 'function_call');
    const called = isObject(call?.['step']) ? call['step'] : {};
    const result = { type: 'function_result', call_id: called['id'] ?? '', name: 'look', result: 'so' };
    const second = begin(role, { previous_interaction_id: idOf(role, first), input: [result] });
    expect(interactionOf(role, second)).toMatchObject({ status: 'completed' });
    const kept = bodyOf(role, ask(role, 'GET', `${path}/${idOf(role, second)}`));
    expect(kept).toMatchObject({
      status: 'completed',
      previous_interaction_id: idOf(role, first),
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'There it is.' }] }],
    });
  });

  it('is the same by its id as in the stream', () => {
    const role = new Stepped(script().thinking('Hm.').text('Hello.'));
    const peer = begin(role);
    const signature = eventsOf(role, peer)
      .map(({ delta }) => (isObject(delta) ? delta['signature'] : undefined))
      .find((one) => one !== undefined);
    expect(bodyOf(role, ask(role, 'GET', `${path}/${idOf(role, peer)}`))).toMatchObject({
      ...interactionOf(role, peer),
      steps: [{ type: 'thought', signature }, { type: 'model_output' }],
    });
  });

  it('is found in no request with store: false, and unknown ones are refused', () => {
    const role = new Stepped(script().text('Hello.').turn().text('More.'));
    const id = idOf(role, begin(role, { store: false }));
    const refused = begin(role, { previous_interaction_id: id });
    expect(role.status(refused)).toBe('404');
    expect(bodyOf(role, refused)).toEqual({
      error: { code: 'not_found', message: `Interaction '${id}' not found.` },
    });
    expect(role.status(ask(role, 'GET', `${path}/${id}`))).toBe('404');
  });

  it('that the limit cut goes on without the call that it cut', () => {
    const role = new Stepped(
      script()
        .text('So. ')
        .toolCall('look', { at: 'a long place' })
        .cutAt({ json: 'inside-string' })
        .turn()
        .text('Again.'),
    );
    const first = begin(role);
    expect(interactionOf(role, first)).toMatchObject({ status: 'incomplete' });
    const second = begin(role, { previous_interaction_id: idOf(role, first), input: 'Go on.' });
    expect(role.status(second)).toBe('200');
  });
});

describe('an interaction in the background', () => {
  it('goes on without its reader, and is read again behind any event', () => {
    const role = new Stepped(script().text('Hello, ').barrier('later').text('world.'));
    const peer = begin(role, { background: true });
    const before = idsOf(role, peer);
    role.step({ type: 'left', peer });
    role.step({ type: 'command', command: { do: 'send', message: { release: 'later' } as never } });
    const again = ask(
      role,
      'GET',
      `${path}/${idOf(role, peer)}?stream=true&last_event_id=${String(before[1])}`,
    );
    expect(idsOf(role, again).slice(0, before.length - 2)).toEqual(before.slice(2));
    expect(eventsOf(role, again).at(-1)).toMatchObject({ event_type: 'interaction.completed' });
    expect(dataOf(role, again).at(-1)).toBe('[DONE]');
    expect(role.outputs.at(-1)).toMatchObject({ type: 'close', peer: again, status: { code: 0 } });
  });

  it('breaks off before its end where the script resets the connection, and can be read to its end', () => {
    const role = new Stepped(script().text('Hello.').with({ transport: 'reset' }));
    const peer = begin(role, { background: true });
    expect(role.outputs).toContainEqual({ type: 'close', peer, status: { code: 14, message: 'reset' } });
    const last = String(idsOf(role, peer).at(-1));
    const again = ask(role, 'GET', `${path}/${idOf(role, peer)}?stream=true&last_event_id=${last}`);
    expect(eventsOf(role, again)).toMatchObject([{ event_type: 'interaction.completed' }]);
  });

  it('is not read behind an event that it does not have', () => {
    const role = new Stepped(script().text('Hello.'));
    const peer = begin(role, { background: true });
    const again = ask(role, 'GET', `${path}/${idOf(role, peer)}?stream=true&last_event_id=none`);
    expect(role.status(again)).toBe('400');
  });

  it('is cancelled', () => {
    const role = new Stepped(script().text('Hello, ').barrier('later').text('world.'));
    const peer = begin(role, { background: true });
    const cancelled = ask(role, 'POST', `${path}/${idOf(role, peer)}/cancel`);
    expect(bodyOf(role, cancelled)).toMatchObject({ id: idOf(role, peer), status: 'cancelled' });
  });

  it('is continued, too', () => {
    const role = new Stepped(script().text('Hello.').turn().match({ turnIndex: 1 }).text('Again.'));
    const first = begin(role, { background: true });
    const second = begin(role, { previous_interaction_id: idOf(role, first), input: 'More.' });
    expect(interactionOf(role, second)).toMatchObject({ status: 'completed' });
  });
});
