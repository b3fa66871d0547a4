/** Cases of `tokens.summarize`. Source: the plan, Phase 3, "MessageSummarizer": a simple template. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { answering, calling, conversation, say, toolTurn, turns } from './conversations.ts';
import { testsOf } from './table.ts';
import type { TokensTest } from './table.ts';

const test = testsOf('tokens.summarize');

const input = (messages: Json[]): JsonObject => ({ messages });

/** The parts of the template, each with the words of which one is enough, in lower case. */
const parts: Json = [
  { part: 'the request', words: ['request', 'goal', 'task'] },
  { part: 'the status', words: ['status', 'progress'] },
  { part: 'the technical context', words: ['technical'] },
  { part: 'changes', words: ['change', 'modified', 'files'] },
  { part: 'issues', words: ['issue', 'problem', 'error'] },
  { part: 'the state', words: ['state', 'next'] },
  { part: 'the working context', words: ['working'] },
];

const plain: JsonObject = { role: 'user', content: 'Please rename the parser to reader.' };

const work: Json[] = conversation(
  [plain, calling('k1', ['c1', 'c2']), answering(['c1', 'c2'])],
  [say('assistant', 'a1'), say('user', 'u2')],
  [calling('k2', ['c3'])],
  [{ role: 'user', content: '', toolResults: [{ id: 'c3', content: 'no such file', isError: true }] }],
  [say('assistant', 'a2')],
);

const emoji = '\u{1f600}';

const emotional = (start: string): Json[] =>
  conversation([
    { role: 'user', content: start + emoji.repeat(800) },
    { ...calling('k', ['c1']), content: `${start}${emoji.repeat(800)}` },
    answering(['c1'], `${start}${emoji.repeat(800)}`),
    { role: 'assistant', content: start + emoji.repeat(800) },
  ]);

/** Tests of `tokens.summarize`. */
export const summaryTests: readonly TokensTest[] = [
  test('covers-work', 'a conversation with calls, one of which failed', 35, input(work), { covers: parts }),
  test('covers-talk', 'a conversation without calls', 35, input(conversation(turns(1, 6))), {
    covers: parts,
  }),
  test('whole-even', 'nothing but emoji', 37, input(emotional('')), { whole: true }),
  test('whole-odd', 'the same, a unit further', 37, input(emotional('x')), { whole: true }),
  test('whole-odd-words', 'the same, after an odd number of units', 37, input(emotional('see: ')), {
    whole: true,
  }),
  test('summary-sound', 'a message of the user that says something', 48, input(work), { sound: true }),
  test('summary-sound-tools', 'of tools alone', 48, input(conversation(toolTurn(1), toolTurn(2))), {
    sound: true,
  }),
];
