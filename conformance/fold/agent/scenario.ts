/** `wireproof simulate fold/agent --scenario`: the agents, packs and operator of a gateway's scenario. */
import { addressText, WireproofError } from '../../../src/kit/base/index.ts';
import type { Metadata, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { LiveSession, awaitPort, dialGrpc, scenarioOf } from '../../../src/kit/simulate/index.ts';
import { TargetSession } from '../../../src/kit/suite/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { operatorDriver } from '../../../src/fold/edge/index.ts';
import { textOf } from '../gateway/lines.ts';
import { foldGatewaySuite } from '../gateway/suite.ts';

const maxReceive = 16 << 20;
/** How long a gateway that starts is waited for (ms). */
const startPatience = 5000;

/** The credentials of simulated agents. */
export interface FoldCredentials {
  readonly scheme: string;
  /** Metadata of a kind, such as `valid`, at a moment (Unix ms). */
  of(kind: string, now: number): Metadata;
}

/** The steps that `check` can play, because it is between the peers and the gateway. */
const disturbing = (steps: readonly ScenarioStep[]): boolean =>
  steps.some(
    (step) =>
      'fault' in step ||
      'stop' in step ||
      ('repeat' in step && disturbing(step.repeat.steps)) ||
      ('parallel' in step && step.parallel.some(disturbing)),
  );

/**
 * The scenario of `--scenario`; undefined without the flag.
 *
 * @throws WireproofError 'usage' on an unknown scenario, or one that disturbs connections
 */
export function gatewayScenario(name: string | undefined): Scenario | undefined {
  const scenario = scenarioOf(foldGatewaySuite, name);
  if (scenario === undefined || !disturbing(scenario.steps)) return scenario;
  throw new WireproofError(
    'usage',
    `--scenario ${scenario.name} cuts connections or stops the gateway; play it with wireproof check fold/gateway --scenario ${scenario.name}`,
  );
}

/** Plays a scenario against the gateway, and judges the gateway live. */
export async function playGatewayScenario(
  run: SimulatorRun,
  scenario: Scenario,
  credentialsOf: (live: LiveSession) => Promise<FoldCredentials>,
): Promise<SimulatorEnd> {
  const target = 'the gateway that the simulated agents dialled';
  const { name, title, peers } = scenario;
  const live = new LiveSession(run, { suite: foldGatewaySuite, textOf, target, scenario: name });
  const at = live.flags.address('connect');
  const address = addressText(at);
  const url = live.flags.text('operator') ?? '';
  // A gateway that is not there is no verdict.
  if (!(await awaitPort(at, startPatience, () => run.interrupt.aborted)))
    throw new WireproofError(
      'environment',
      `nothing listened on ${address} in ${startPatience} ms; start the gateway first, or name its address with --connect`,
    );
  let streams = 0;
  const next = (): number => ++streams;
  const place = { ...at, url };
  const operator = await operatorDriver({ name: 'http', place, statement: undefined, next });
  const { scheme, of } = await credentialsOf(live);
  const session = new TargetSession({
    ...live.settings(foldGatewaySuite),
    drive: 'http',
    credentials: { scheme, of: (kind): Metadata => of(kind, Date.now()) },
    dial: (_, role) =>
      role === 'fold/operator' ? operator : dialGrpc({ address, method: '', maxReceive, next }),
  });
  live.follow(session);
  live.notify(`playing "${title}" against ${address}, its operator at ${url}; Ctrl-C stops`);
  void live.ended.then(() => session.interrupt());
  session.setPeers(peers);
  const played = await new Promise<Parameters<LiveSession['playedScenario']>[1]>((resolve) =>
    session.play(scenario, resolve),
  );
  await new Promise((resolve) => void setTimeout(resolve, foldGatewaySuite.timeouts['late']));
  session.end();
  live.stop();
  return live.playedScenario(name, played);
}
