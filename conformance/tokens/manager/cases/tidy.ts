/** Cases of `tokens.prune` about order (TOK-29): conversations as nobody should have them, and what must come of them. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { conversation, say, toolTurn, turn, turns } from './conversations.ts';
import { testsOf } from './table.ts';
import type { Make, TokensTest } from './table.ts';

/** A test of `tokens.prune`. */
export const test: Make = testsOf('tokens.prune');

/** What it is asked: at most so many tokens, and so many turns that stay. */
export const input = (messages: Json[], limit: number, keepTurns?: number): JsonObject => ({
  messages,
  limit,
  ...(keepTurns === undefined ? {} : { keepTurns }),
});

/** A system message, of 30 tokens. */
export const system: JsonObject = say('system', 's', 80);

const empty = (role: string): JsonObject => ({ role, content: '' });

/** Conversations as nobody should have them: all exceed their limit, and have turns to cut. */
const untidy: readonly (readonly [id: string, what: string, messages: Json[]])[] = [
  ['plain', 'nothing odd', conversation(turns(1, 8))],
  ['system', 'a system message before', conversation([system], turns(1, 8))],
  ['assistant-first', 'the assistant speaks first', conversation([say('assistant', 'a0')], turns(1, 8))],
  [
    'assistant-first-system',
    'the assistant speaks first, after the system',
    conversation([system, say('assistant', 'a0')], turns(1, 8)),
  ],
  [
    'user-twice',
    'the user speaks twice in a recent turn',
    conversation(turns(1, 7), [say('user', 'u8'), say('user', 'v8'), say('assistant', 'a8')]),
  ],
  [
    'assistant-twice',
    'the assistant speaks twice in a recent turn',
    conversation(turns(1, 7), turn(8), [say('assistant', 'b8')]),
  ],
  [
    'empty-assistant',
    'an empty answer in a recent turn',
    conversation(turns(1, 6), [say('user', 'u7'), empty('assistant')], turn(8)),
  ],
  [
    'empty-user',
    'an empty question in a recent turn',
    conversation(turns(1, 7), [empty('user'), say('assistant', 'a8')]),
  ],
  [
    'empty-last',
    'an empty answer at the end',
    conversation(turns(1, 7), [say('user', 'u8'), empty('assistant')]),
  ],
  ['tools', 'old and recent calls', conversation(turn(1), toolTurn(2), turns(3, 7), toolTurn(8))],
];

/** Tests of order; each is put again with what came of it. */
export const tidyTests: readonly TokensTest[] = untidy.map(([id, what, messages]) => ({
  ...test(`tidy-${id}`, what, 29, input(messages, 1200, 2), { ordered: true }),
  again: true,
}));
