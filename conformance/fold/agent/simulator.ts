/** `wireproof simulate fold/agent`: the reference agent against a real gateway. */
import { addressText } from '../../../src/kit/base/index.ts';
import { Flags, LiveSession, dialGrpc } from '../../../src/kit/simulate/index.ts';
import { TargetSession, peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer, SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { readDocument } from '../../../src/kit/spec/index.ts';
import {
  agent,
  agentCodec,
  answerScript,
  defaultAgentOptions,
  serverCodec,
} from '../../../src/fold/index.ts';
import type { AgentOptions, ScriptedAnswer } from '../../../src/fold/index.ts';
import { textOf } from '../gateway/lines.ts';
import { agentSideSuite } from '../gateway/agent-side.ts';
import { agentPathOf } from '../gateway/settings.ts';
import type { FoldCredentials } from './scenario.ts';

const maxReceive = 4 << 20;

/** Plays the agent; ends when the gateway says Shutdown, or at an interrupt. With `--scenario`, plays that instead. */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const named = new Flags(run).text('scenario');
  if (named === undefined) return playAgent(run);
  const { gatewayScenario, playGatewayScenario } = await import('./scenario.ts');
  const scenario = gatewayScenario(named);
  return scenario === undefined ? playAgent(run) : playGatewayScenario(run, scenario, credentialsOf);
}

async function playAgent(run: SimulatorRun): Promise<SimulatorEnd> {
  const target = 'the gateway that the simulated agent dialled';
  const live = new LiveSession(run, { suite: agentSideSuite, textOf, target });
  const method = agentPathOf(live.flags);
  const address = addressText(live.flags.address('connect'));
  const id = live.flags.text('agent-id') ?? '';
  const credentials = await credentialsOf(live);
  const make = agentOf(live, id, () => credentials.of('valid', Date.now()));
  const session = new TargetSession({
    ...live.settings({ ...agentSideSuite, peers: { 'fold/agent': () => make } }),
    drive: 'passive',
    keeps: false,
    dial: () => dialGrpc({ address, method, maxReceive }),
  });
  live.follow(session);
  live.notify(`agent ${id} dials ${address}${method}; Ctrl-C stops it`);
  session.setPeers({ agent: { role: 'fold/agent', options: {} } });
  await live.ended;
  session.end();
  return live.sumUp();
}

/** The answers of a script file. @throws WireproofError 'usage' with file, line and column */
const answersOf = (file: string): readonly ScriptedAnswer[] =>
  readDocument<{ readonly answers: readonly ScriptedAnswer[] }>(file, answerScript, 'script of answers').value
    .answers;

/** The credentials that the flags give. @throws WireproofError 'usage' when a secret cannot be read */
async function credentialsOf({ flags }: LiveSession): Promise<FoldCredentials> {
  const [jwt_secret_env, ssh_key_file, principal] = ['jwt-secret-env', 'ssh-key', 'principal'].map((name) =>
    flags.text(name),
  );
  if (jwt_secret_env === undefined && ssh_key_file === undefined) return { scheme: 'none', of: () => ({}) };
  const { statedCredentials } = await import('../../../src/fold/edge/index.ts');
  return statedCredentials({
    ...(jwt_secret_env === undefined ? {} : { jwt_secret_env }),
    ...(ssh_key_file === undefined ? {} : { ssh_key_file }),
    ...(principal === undefined ? {} : { principal }),
  });
}

/** The reference agent with the options of the flags; the session ends when it stops. */
function agentOf(live: LiveSession, agent_id: string, metadata: AgentOptions['metadata']): MakePeer {
  const script = live.flags.text('script');
  const features = live.flags.text('features')?.split(',');
  const keepalive = live.flags.time('keepalive');
  const role = agent({
    agent_id,
    metadata,
    ...(script === undefined ? {} : { answers: answersOf(script) }),
    epoch: Date.now(),
    register: {
      ...defaultAgentOptions.register,
      ...(features === undefined ? {} : { protocol_features: features.filter((name) => name !== '') }),
    },
    ...(keepalive === undefined ? {} : { keepalive }),
  });
  return (world) =>
    peerOf(
      role,
      serverCodec,
      agentCodec,
    )({
      ...world,
      report(what, detail) {
        live.print(`· ${what}: ${detail}`);
        if (what === 'stopped') live.stop();
      },
    });
}
