/** Lawful agents that obey no directive: each message is only words for them. */
import { allFaults } from '../../../../src/kit/suite/index.ts';
import { defaultAgentOptions } from '../../../../src/fold/index.ts';
import type { AgentFault, AgentFaults } from '../mutants/mutant.ts';
import { always, inOneThread } from './lawful.ts';

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
  });
  return allFaults(inOneThread(), answers());
};

export const lawfulPassive: AgentFaults = {
  'passive-echo': always((say) => [{ say }]),
  'passive-ok': always(() => [{ say: 'OK' }]),
  'passive-silent': always(() => []),
  'passive-slow': always((say) => [{ wait_ms: 60_000 }, { say }]),
  'passive-slow-stream': always((say) => [{ say }, { wait_ms: 20_000 }, { say: '.' }, { wait_ms: 20_000 }]),
  'passive-error': always(() => [{ fail: 'no model' }]),
  'passive-error-late': always(() => [{ wait_ms: 40_000 }, { fail: 'timeout' }]),
  'passive-tool': always((say) => [{ tool: { name: 'bash', output: 'ok' } }, { say }]),
  'passive-approval': always((say) => [{ tool: { name: 'bash', approval: true } }, { say }]),
  'passive-pack': always((say) => [{ pack_tool: { name: 'weather' } }, { say }]),
  'passive-usage': always((say) => [
    { usage: { input_tokens: 10 } },
    { say },
    { usage: { input_tokens: 20 } },
  ]),
  'passive-session': always((say) => [{ session: 'init' }, { say }]),
  'passive-thinks': always((say) => [{ think: say }, { say }]),
  'passive-no-features': {
    fault: always((say) => [{ say }]),
    options: { register: { ...defaultAgentOptions.register, protocol_features: [] } },
  },
  'passive-one-conversation': oneConversation,
  'passive-serial': () => allFaults(inOneThread(), always((say) => [{ wait_ms: 30_000 }, { say }])()),
};
