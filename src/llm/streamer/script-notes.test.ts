import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { script } from '../script/builder.ts';
import { Stepped, anthropicBody } from './streamer.test-helper.ts';

const schema = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string' } },
  additionalProperties: false,
};

/** The notes on a call of `write` in the answer to a request. */
function notesOn(input: JsonObject, body: JsonObject, path = '/v1/messages'): Json | undefined {
  const provider = new Stepped(script().toolCall('write', input));
  const link = provider.post(path, body);
  expect(provider.status(link)).toBe('200');
  return provider.told().find(({ what }) => what === 'request')?.detail['notes'];
}

const offering = (...tools: readonly JsonObject[]): JsonObject => ({ ...anthropicBody, tools });
const write = { name: 'write', input_schema: schema };

describe('a script that calls a tool', () => {
  it('that the request offers gets no note', () => {
    expect(notesOn({ path: 'a' }, offering(write))).toBe(undefined);
    expect(notesOn({ path: 1 }, offering(write))).toBe(undefined);
    expect(notesOn({ path: 'a' }, offering({ ...write, strict: true }))).toBe(undefined);
    // A tool that the provider describes itself, and tools of a server that it asks for them.
    expect(notesOn({}, offering({ type: 'text_editor_20250728', name: 'write' }))).toBe(undefined);
    expect(notesOn({}, { ...offering(), mcp_servers: [{ type: 'url', url: 'x', name: 'm' }] })).toBe(
      undefined,
    );
  });

  it('that the request does not offer gets a note, and is played', () => {
    expect(notesOn({}, offering({ name: 'read', input_schema: schema }))).toEqual([
      'the script calls write; the request offers read',
    ]);
    expect(notesOn({}, anthropicBody)).toEqual(['the script calls write; the request offers no tools']);
  });

  it('as a custom tool, which the request offers as a function, gets a note, and so the other way round', () => {
    const notesOf = (calls: ReturnType<typeof script>, tool: JsonObject): Json | undefined => {
      const provider = new Stepped(calls);
      provider.post('/v1/responses', { model: 'm', input: 'Hi', tools: [tool] });
      return provider.told().find(({ what }) => what === 'request')?.detail['notes'];
    };
    const asFunction = { type: 'function', name: 'apply_patch', parameters: {} };
    const asCustom = { type: 'custom', name: 'apply_patch' };
    const patch = script().customToolCall('apply_patch', '*** Begin Patch');
    expect(notesOf(patch, asCustom)).toBe(undefined);
    expect(notesOf(patch, asFunction)).toEqual([
      'the script calls apply_patch as a custom tool; the request offers it as a function',
    ]);
    expect(notesOf(script().toolCall('apply_patch', {}), asCustom)).toEqual([
      'the script calls apply_patch as a function; the request offers it as a custom tool',
    ]);
  });

  it('against its strict schema gets a note', () => {
    expect(notesOn({ path: 1 }, offering({ ...write, strict: true }))).toEqual([
      "the script's call of write breaks its strict schema: expected path to be string; came number",
    ]);
    expect(notesOn({ path: 'a', mode: 7 }, offering({ ...write, strict: true }))).toEqual([
      "the script's call of write breaks its strict schema: expected no mode; its schema is closed",
    ]);
    const messages = [{ role: 'user', content: 'Hi' }];
    const made = { name: 'write', parameters: schema, strict: true };
    const chat = { model: 'm', messages, tools: [{ type: 'function', function: made }] };
    const missing = ["the script's call of write breaks its strict schema: expected path; it is missing"];
    expect(notesOn({}, chat, '/v1/chat/completions')).toEqual(missing);
    const responses = { model: 'm', input: 'Hi', tools: [{ type: 'function', ...made }] };
    expect(notesOn({}, responses, '/v1/responses')).toEqual(missing);
  });
});
