/** Calls of custom tools in Responses: types ResponseCustomToolCall, ResponseCustomToolCallInputDeltaEvent and DoneEvent. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Variants } from '../../messages.ts';
import { unitsOf } from '../shared/laws.test-helper.ts';
import { answerOf, requestOf } from '../openai/answers.test-helper.ts';
import type { Content } from '../openai/answers.test-helper.ts';
import { completed, ended, incomplete, read, text } from './events.test-helper.ts';
import { openaiResponses } from './index.ts';

const patch = '*** Begin Patch\n*** End Patch';

const item = (input: string, status?: string): JsonObject => ({
  type: 'custom_tool_call',
  id: 'ctc_0',
  call_id: 'call_0',
  name: 'apply_patch',
  input,
  ...(status === undefined ? {} : { status }),
});
const begun: JsonObject = {
  type: 'response.output_item.added',
  output_index: 0,
  item: item('', 'in_progress'),
};
const more = (delta: string): JsonObject => ({
  type: 'response.custom_tool_call_input.delta',
  output_index: 0,
  item_id: 'ctc_0',
  delta,
});
const all = (input: string): JsonObject => ({
  type: 'response.custom_tool_call_input.done',
  output_index: 0,
  item_id: 'ctc_0',
  input,
});
const done = (input: string, status?: string): JsonObject => ({
  type: 'response.output_item.done',
  output_index: 0,
  item: item(input, status),
});
const whole = { id: 'call_0', name: 'apply_patch', input: patch, custom: true };

describe('reading', () => {
  it('gives a call whose item is done and complete, with its text as it came', () => {
    for (const events of [
      [begun, more('*** Begin'), more(' Patch\n*** End Patch'), all(patch), done(patch, 'completed')],
      [begun, all(patch), done(patch, 'completed')],
      [begun, done(patch, 'completed')],
      [done(patch, 'completed')],
    ]) {
      const { response } = read(...events, completed);
      expect(response).toMatchObject({ toolCalls: [whole], warnings: [] });
      expect(response.metadata.stopReason).toBe('tool_use');
    }
  });

  it('leaves text that is JSON as text', () => {
    const { response } = read(begun, more('{"a":1}'), done('{"a":1}', 'completed'), completed);
    expect(response.toolCalls).toEqual([{ ...whole, input: '{"a":1}' }]);
  });

  it.each(['incomplete', 'in_progress'])('gives no call whose item is %s, at any cut (LLM-C01)', (status) => {
    for (const input of ['', '*** Begin', patch]) {
      const { response } = read(begun, more(input), done(input, status), incomplete('max_output_tokens'));
      expect(response.toolCalls).toEqual([]);
      expect(response.open).toEqual({ id: 'call_0', name: 'apply_patch', partial: input, custom: true });
      expect(response.metadata.stopReason).toBe('max_tokens');
    }
  });

  it('gives no call whose item was never done', () => {
    const { response } = read(begun, more(patch), incomplete('max_output_tokens'));
    expect(response.toolCalls).toEqual([]);
    expect(response.open?.partial).toBe(patch);
  });

  it('gives no call whose done text is not that of its pieces, and warns (LLM-S07)', () => {
    for (const events of [
      [begun, more('*** Begin'), all(patch), done('*** Begin', 'completed')],
      [begun, more('*** Begin'), done(patch, 'completed')],
    ]) {
      const { response } = read(...events, completed);
      expect(response.toolCalls).toEqual([]);
      expect(response.warnings).toEqual([expect.stringContaining('is refused: expected the arguments')]);
    }
  });

  // The type ResponseCustomToolCall has no status.
  it('takes an item without status for complete when another item follows, or the response is completed', () => {
    const after = [
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'message', id: 'm', content: [] },
      },
      text('So.', 1),
    ];
    expect(read(begun, more(patch), done(patch), completed).response.toolCalls).toEqual([whole]);
    const cutText = read(begun, more(patch), done(patch), ...after, incomplete('max_output_tokens'));
    expect(cutText.response.toolCalls).toEqual([whole]);
    for (const end of [incomplete('max_output_tokens'), ended('failed')]) {
      const { response } = read(begun, more(patch), done(patch), end);
      expect(response.toolCalls).toEqual([]);
      expect(response.open?.partial).toBe(patch);
    }
  });

  it('reads whole bodies in the same way', () => {
    const body = (status: string, ...output: Json[]) =>
      openaiResponses.readWhole(
        200,
        {},
        Buffer.from(JSON.stringify({ status, output, incomplete_details: { reason: 'max_output_tokens' } })),
      ).response;
    expect(body('completed', item(patch, 'completed')).toolCalls).toEqual([whole]);
    expect(body('completed', item(patch)).toolCalls).toEqual([whole]);
    expect(body('incomplete', item(patch, 'incomplete')).toolCalls).toEqual([]);
    expect(body('incomplete', item(patch)).toolCalls).toEqual([]);
  });

  it('reads the item with a namespace, and ignores calls that the provider or the user has to run', () => {
    const others = [
      'local_shell_call',
      'shell_call',
      'apply_patch_call',
      'mcp_call',
      'mcp_approval_request',
    ].map((type, i) => ({
      type: 'response.output_item.done',
      output_index: i + 1,
      item: { type, id: `x_${i}`, call_id: `call_${i + 1}`, name: 'x', arguments: '{}', status: 'completed' },
    }));
    const named = { ...done(patch, 'completed'), item: { ...item(patch, 'completed'), namespace: 'files' } };
    const { response, error } = read(named, ...others, completed);
    expect(error).toBeUndefined();
    expect(response.toolCalls).toEqual([{ ...whole, namespace: 'files' }]);
    // The provider runs mcp_call itself.
    expect(response.warnings.map((warning) => /came "(\w+)"/.exec(warning)?.[1])).toEqual([
      'local_shell_call',
      'shell_call',
      'apply_patch_call',
      'mcp_approval_request',
    ]);
  });

  it('sends the namespace of a call back', () => {
    const called = { type: 'function_call', call_id: 'c1', name: 'find', namespace: 'crm', arguments: '{}' };
    const input = [
      { role: 'user', content: 'hi' },
      called,
      { type: 'function_call_output', call_id: 'c1', output: '1' },
    ];
    const asked = openaiResponses.readRequest({ model: 'm', input }, {});
    if (!asked.ok) throw new Error(asked.error.error.message);
    expect(asked.value.messages[1]?.toolCalls).toEqual([
      { id: 'c1', name: 'find', namespace: 'crm', input: {} },
    ]);
    expect(openaiResponses.writeRequest(asked.value).body['input']).toMatchObject([
      { role: 'user' },
      called,
      {},
    ]);
  });
});

describe('a stream', () => {
  const call = (complete: boolean, ...pieces: string[]): Content => ({
    kind: 'tool_call',
    id: 'call_0',
    name: 'apply_patch',
    custom: true,
    pieces,
    complete,
  });
  const request = requestOf('openai-responses', { obfuscation: false });
  const eventsOf = (content: Content, variants: Variants = {}): JsonObject[] => {
    const complete = content.complete === true;
    const answered = answerOf(request, [content], { stop: complete ? 'tool_use' : 'max_tokens' }, variants);
    return unitsOf(openaiResponses, answered)
      .map(({ data }) => data as JsonObject)
      .slice(2);
  };

  it('has an item custom_tool_call, and deltas and a done event of its input', () => {
    const [added, first, second, end, itemDone, last] = eventsOf(call(true, '*** Begin', ' Patch'));
    const { item_id: id } = first ?? {};
    expect(id).toMatch(/^ctc_/);
    const made = { id, type: 'custom_tool_call', call_id: 'call_0', name: 'apply_patch' };
    const at = { item_id: id, output_index: 0 };
    const event = 'response.custom_tool_call_input';
    expect(added).toMatchObject({ item: { ...made, status: 'in_progress', input: '' } });
    expect(first).toEqual({ type: `${event}.delta`, sequence_number: 3, ...at, delta: '*** Begin' });
    expect(second).toEqual({ type: `${event}.delta`, sequence_number: 4, ...at, delta: ' Patch' });
    expect(end).toEqual({ type: `${event}.done`, sequence_number: 5, ...at, input: '*** Begin Patch' });
    expect(itemDone).toMatchObject({ item: { ...made, status: 'completed', input: '*** Begin Patch' } });
    expect(last).toMatchObject({ type: 'response.completed' });
  });

  it('marks a cut item as incomplete, and sends no done event', () => {
    const events = eventsOf(call(false, '*** Begin'));
    expect(events.map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.output_item.done',
      'response.incomplete',
    ]);
    expect(events[2]).toMatchObject({ item: { status: 'incomplete', input: '*** Begin' } });
  });

  it('has the namespace of its tool in each item', () => {
    const [added, , , itemDone] = eventsOf({ ...call(true, 'a'), namespace: 'files' } as Content);
    for (const event of [added, itemDone]) expect(event).toMatchObject({ item: { namespace: 'files' } });
  });

  it('leaves out the deltas of a whole call where a turn joins calls', () => {
    const types = eventsOf(call(true, 'a', 'b'), { joined: ['calls'] }).map(({ type }) => type);
    expect(types.slice(1, 3)).toEqual(['response.custom_tool_call_input.done', 'response.output_item.done']);
  });
});

describe('a request', () => {
  const called = { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: patch };
  const output = { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done.' };
  const user = { role: 'user', content: 'hi' };
  const tools = [
    { type: 'custom', name: 'apply_patch', description: 'Edits.', format: { type: 'text' } },
    { type: 'web_search' },
  ];
  const readOf = (...input: Json[]) =>
    openaiResponses.readRequest(
      { model: 'm', input, tools, tool_choice: { type: 'custom', name: 'apply_patch' } },
      {},
    );

  it('has the tool, the call and its result', () => {
    expect(readOf(user, called, output)).toMatchObject({
      ok: true,
      value: {
        tools: [{ name: 'apply_patch', description: 'Edits.', custom: true, format: { type: 'text' } }],
        messages: [
          user,
          {
            role: 'assistant',
            toolCalls: [{ id: 'c1', name: 'apply_patch', input: patch, custom: true }],
          },
          { role: 'user', toolResults: [{ id: 'c1', content: 'Done.', isError: false, custom: true }] },
        ],
        unknown: ['tools[]:web_search'],
      },
    });
  });

  it('is refused without the result of a call, or without the call of a result', () => {
    expect(readOf(user, called)).toMatchObject({
      ok: false,
      error: { error: { message: 'No tool output found for custom tool call c1.' } },
    });
    expect(readOf(user, output)).toMatchObject({
      ok: false,
      error: { error: { message: 'No tool call found for custom tool call output with call_id c1.' } },
    });
  });
});
