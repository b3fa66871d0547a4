/** Lawful agents that obey no directive: each message is only words for them. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { defaultAgentOptions } from '../../../../src/fold/index.ts';
import { editIncoming } from '../mutants/mutant.ts';
import type { AgentFault } from '../mutants/mutant.ts';
import { always, documents, lawful } from './lawful.ts';

const anyAnswer = `${documents.page}, The directive grammar: an agent need not obey directives`;
const noTime = 'no document sets a time for an answer; models take minutes';
const terminal = `${documents.cancellation}, Agent Behavior: done, error or cancelled ends a request`;

const noText = { 'FOLD-A17': 'it says nothing', 'FOLD-A18': 'it says nothing' };
const early = 'its request has ended when a cancel comes';
const noCancel = { 'FOLD-A46': early, 'FOLD-A47': early };

const words = (
  id: string,
  title: string,
  steps: Parameters<typeof always>[0],
  allowed: string = anyAnswer,
  unseen: LawfulPeer['unseen'] = {},
): LawfulPeer => lawful(id, title, { allowed, oddity: always(steps), drive: 'passive', unseen });

/** Repeats the messages that it has answered before, as an agent with one long conversation does. */
const oneConversation = (): AgentFault => {
  const heard: string[] = [];
  const answers = always((content) => {
    const before = heard.join(' ');
    heard.push(content);
    return [
      { wait_ms: 200 },
      { say: `You said: ${before}` },
      { wait_ms: 200 },
      { say: ` and now: ${content}` },
    ];
  })();
  const inOneThread = editIncoming((m) => [
    m.send_message === undefined ? m : { send_message: { ...m.send_message, thread_id: 'all' } },
  ]);
  return {
    input: (input, context) =>
      inOneThread.input(input, context).flatMap((next) => answers.input?.(next, context) ?? [next]),
  };
};

/** Peers of this theme. */
export const lawfulPassive: readonly LawfulPeer[] = [
  words('passive-echo', 'It says each message again.', (say) => [{ say }]),
  words('passive-ok', 'It answers everything with OK.', () => [{ say: 'OK' }], anyAnswer, {
    'FOLD-A18': 'it repeats no word',
  }),
  words('passive-silent', 'It answers everything with done alone.', () => [], anyAnswer, {
    ...noText,
    ...noCancel,
  }),
  words(
    'passive-slow',
    'It needs a minute for each answer.',
    (say) => [{ wait_ms: 60_000 }, { say }],
    noTime,
  ),
  words(
    'passive-slow-stream',
    'It needs 20 s between two texts.',
    (say) => [{ say }, { wait_ms: 20_000 }, { say: '.' }, { wait_ms: 20_000 }],
    noTime,
  ),
  words('passive-error', 'Its model is down.', () => [{ fail: 'no model' }], terminal, {
    ...noText,
    ...noCancel,
  }),
  words(
    'passive-error-late',
    'Its model fails after 40 s.',
    () => [{ wait_ms: 40_000 }, { fail: 'timeout' }],
    terminal,
    noText,
  ),
  words('passive-tool', 'It uses a tool for each answer.', (say) => [
    { tool: { name: 'bash', output: 'ok' } },
    { say },
  ]),
  words('passive-approval', 'It waits for an approval for each answer.', (say) => [
    { tool: { name: 'bash', approval: true } },
    { say },
  ]),
  words('passive-pack', 'It waits for a pack for each answer.', (say) => [
    { pack_tool: { name: 'weather' } },
    { say },
  ]),
  words('passive-usage', 'It sends usage twice for each answer.', (say) => [
    { usage: { input_tokens: 10 } },
    { say },
    { usage: { input_tokens: 20 } },
  ]),
  words('passive-session', 'It begins a session for each answer.', (say) => [{ session: 'init' }, { say }]),
  words('passive-thinks', 'It thinks before it says each message again.', (say) => [{ think: say }, { say }]),
  lawful('passive-no-features', 'It advertises no feature, and says each message again.', {
    allowed: `${documents.compatibility}: old agents continue to work`,
    oddity: always((say) => [{ say }]),
    options: { register: { ...defaultAgentOptions.register, protocol_features: [] } },
    lacks: ['token_usage', 'tool_states', 'injection', 'cancellation'],
    drive: 'passive',
  }),
  lawful(
    'passive-one-conversation',
    'It has one conversation, and repeats the messages that it has answered before.',
    {
      allowed: `${documents.page}, Decisions, 11: an agent may answer one request at a time`,
      oddity: oneConversation,
      drive: 'passive',
    },
  ),
  lawful('passive-serial', 'It answers one message at a time, each in 30 s.', {
    allowed: `${documents.page}, Decisions, 11: an agent may answer one request at a time; ${noTime}`,
    oddity: () => {
      const slow = always((say) => [{ wait_ms: 30_000 }, { say }])();
      const inOneThread = editIncoming((m) => [
        m.send_message === undefined ? m : { send_message: { ...m.send_message, thread_id: 'all' } },
      ]);
      return {
        input: (input, context) =>
          inOneThread.input(input, context).flatMap((next) => slow.input?.(next, context) ?? [next]),
      };
    },
    drive: 'passive',
  }),
];
