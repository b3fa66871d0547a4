/** Conversations that a provider refuses, and conversations that it accepts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import {
  leastTokens,
  readMessages,
  splitCharacterFault,
  conversationFault,
  resultOrderFault,
} from './conversation.ts';
import type { Message } from './conversation.ts';

const user = (content: string, more: JsonObject = {}): JsonObject => ({ role: 'user', content, ...more });
const assistant = (content: string, more: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content,
  ...more,
});
const system = { role: 'system', content: 'Be brief.' };
const calls = (...ids: readonly string[]): JsonObject =>
  assistant('', { toolCalls: ids.map((id) => ({ id, name: 'read', input: {} })) });
const results = (...ids: readonly string[]): JsonObject =>
  user('', { toolResults: ids.map((id) => ({ id, content: 'done', isError: false })) });

function read(...messages: readonly JsonObject[]): readonly Message[] {
  const found = readMessages([...messages]);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const fault = (...messages: readonly JsonObject[]): string | undefined =>
  conversationFault(read(...messages));

describe('messages', () => {
  it.each<[string, unknown, string]>([
    ['no array', { role: 'user' }, 'expected messages as an array'],
    ['no objects', ['hello'], 'expected messages[0] as an object; came "hello"'],
    [
      'another role',
      [{ role: 'tool', content: '' }],
      'messages[0].role to be system, user or assistant; came "tool"',
    ],
    ['no text', [user('a'), { role: 'assistant' }], 'expected messages[1].content as a text; came nothing'],
    [
      'calls without ids',
      [assistant('', { toolCalls: [{ name: 'x' }] })],
      'messages[0].toolCalls as objects with an id',
    ],
    [
      'results that are not a list',
      [user('', { toolResults: {} })],
      'messages[0].toolResults as objects with an id',
    ],
  ])('are refused with %s', (_, value, words) => {
    expect(readMessages(value)).toContain(words);
  });

  it('may leave calls and results out, or have null or an empty list', () => {
    const [message] = read(assistant('a', { toolCalls: [], toolResults: null }));
    expect(message).toMatchObject({ calls: [], results: [] });
  });
});

describe('a conversation', () => {
  it.each<[string, readonly JsonObject[]]>([
    ['nothing', []],
    ['a question', [user('a')]],
    ['system messages in any place', [system, system, user('a'), system, assistant('b')]],
    ['calls and their results', [user('a'), calls('x', 'y'), results('x', 'y'), assistant('b')]],
    [
      'results together with a text of the user',
      [user('a'), calls('x'), { ...results('x'), content: 'and hurry' }],
    ],
    ['an id that is used again', [user('a'), calls('x'), results('x'), calls('x'), results('x')]],
    ['an answer with only calls', [user('a'), calls('x'), results('x')]],
  ])('is valid with %s', (_, messages) => {
    expect(fault(...messages)).toBeUndefined();
  });

  it.each<[string, readonly JsonObject[], string]>([
    [
      'the assistant first',
      [assistant('a'), user('b')],
      "expected the first message to be the user's; message 0",
    ],
    [
      'the assistant first after the system',
      [system, assistant('a')],
      "the first message to be the user's; message 1",
    ],
    ['the user twice', [user('a'), user('b')], "expected roles to alternate; message 1 is the user's again"],
    [
      'the assistant twice',
      [user('a'), assistant('b'), system, assistant('c')],
      'message 3 is the assistant',
    ],
    ['an empty message', [user('a'), assistant('')], 'expected no empty content; message 1 has none'],
    ['white space alone', [user('a'), assistant(' \n')], 'expected no empty content; message 1 has none'],
    [
      'an error without content',
      [user('a'), calls('x'), user('', { toolResults: [{ id: 'x', content: ' ', isError: true }] })],
      'expected no error without content; message 2 has one',
    ],
    ['a call without result', [user('a'), calls('x', 'y'), results('x')], 'there is none of "y"'],
    [
      'a result that comes too late',
      [user('a'), calls('x'), user('b'), assistant('c'), results('x')],
      'none of "x"',
    ],
    ['a result without call', [results('x')], 'message 0 has a result of "x"'],
    ['two results of a call', [user('a'), calls('x'), results('x', 'x')], 'message 2 has a result of "x"'],
  ])('is invalid with %s', (_, messages, words) => {
    expect(fault(...messages)).toContain(words);
  });

  it('TOK-52: has results in the order of their calls, which TOK-48 does not ask', () => {
    const reversed = read(user('a'), calls('x', 'y'), results('y', 'x'));
    expect(resultOrderFault(reversed)).toContain('in the order of their calls; message 2');
    expect(resultOrderFault(read(user('a'), calls('x', 'y'), results('x', 'y')))).toBeUndefined();
    expect(conversationFault(reversed)).toBeUndefined();
  });

  it('may end with running calls, when that is allowed', () => {
    const running = read(user('a'), calls('x'));
    expect(conversationFault(running)).toContain('none of "x"');
    expect(conversationFault(running, { pending: true })).toBeUndefined();
    expect(conversationFault(read(user('a'), calls('x'), user('b')), { pending: true })).toContain(
      'none of "x"',
    );
  });
});

describe('TOK-37: a text', () => {
  it.each(['', 'plain', '\u{1f600}', 'a\u{1f600}\u{1f600}', 'e\u0301 \u2026'])('%j is whole', (text) => {
    expect(splitCharacterFault(['fine', text])).toBeUndefined();
  });

  it.each([
    ['ab\ud83d', 2],
    ['\ude00', 0],
    ['\ud83d\ud83d\ude00', 0],
    ['a\ufffd', 1],
  ])('%j is split', (text, at) => {
    expect(splitCharacterFault(['fine', text])).toBe(
      `expected whole characters; came half of one at offset ${at} of a text of ${text.length}`,
    );
  });
});

it('TOK-25: has a least size, with any names in the JSON of its calls', () => {
  expect(leastTokens(read(user('abcde')))).toBe(10 + 2);
  expect(leastTokens(read(user('abcd'), assistant('')))).toBe(11 + 10);
  // {} and "done" are two and six units.
  expect(leastTokens(read(calls('x')))).toBe(10 + 1);
  expect(leastTokens(read(results('x')))).toBe(10 + 2);
  const input = { a: [1, { b: null }], 'c"': 'd\n', e: [], f: {} };
  const whole = read(assistant('', { toolCalls: [{ id: 'x', name: 'read', input }] }));
  expect(leastTokens(whole)).toBe(10 + Math.ceil(JSON.stringify(input).length / 4));
});

it('is sized without recursion', () => {
  const input = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as JsonObject;
  const deep = read(assistant('', { toolCalls: [{ id: 'x', name: 'read', input }] }));
  expect(leastTokens(deep)).toBe(10 + 100_000);
});
