/** `wireproof simulate fold/gateway --scenario NAME`: the gateway plays one scenario with the agent that comes. */
import picocolors from 'picocolors';
import { WireproofError } from '../src/kit/base/index.ts';
import type { Scenario } from '../src/kit/base/index.ts';
import { DialingTarget } from '../src/kit/run/index.ts';
import { TargetSession } from '../src/kit/suite/index.ts';
import type { DialingTargetKind } from '../src/kit/suite/index.ts';
import { readRequirements, readScenario, readScenarios } from '../src/kit/spec/index.ts';
import { visible } from '../src/kit/report/index.ts';
import { freshSeed, realClock, secretRedactor, seededRandom } from '../src/kit/world/index.ts';
import { agentPaths } from '../src/fold/index.ts';
import { foldAgentSuite } from '../conformance/fold/agent/suite.ts';
import { exitCodes } from './exit.ts';
import { eventLine } from './gateway-lines.ts';
import { onInterrupt } from './interrupt.ts';
import { hostPort } from './simulate-gateway-options.ts';
import type { SimulateGatewayFlags } from './simulate-gateway-options.ts';
import { simulatedHeader, writeTraceFile } from './traces.ts';

/** Largest message the kit takes (bytes), as in `check`. */
const maxReceive = 16 << 20;

function scenarioOf(name: string): Scenario {
  const found = readScenarios('fold', foldAgentSuite.id).find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (/\.ya?ml$/.test(name)) return readScenario(name);
  throw new WireproofError(
    'usage',
    `--scenario ${name}: no such scenario; see wireproof list scenarios fold/agent, or give a .yaml file`,
  );
}

/** Plays the scenario once, and says what was violated. */
export async function playScenario(name: string, flags: SimulateGatewayFlags): Promise<void> {
  const scenario = scenarioOf(name);
  const colors = picocolors.createColors(process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '');
  const { revision, requirements } = readRequirements('fold');
  const levels = new Map(requirements.map(({ id, level }) => [id, level]));
  const { timeouts } = foldAgentSuite;
  const agent = new DialingTarget({
    suite: foldAgentSuite,
    kind: foldAgentSuite.target as DialingTargetKind<unknown>,
    target: { kind: 'listen', ...hostPort(flags.listen, '--listen') },
    methods: agentPaths,
    maxReceive,
    peers: scenario.peers,
    session: (more) =>
      new TargetSession<unknown>({
        suite: foldAgentSuite,
        clock: realClock(),
        random: seededRandom(freshSeed()),
        drive: 'directive',
        timeouts,
        timeoutScale: 1,
        redact: flags.redact ? secretRedactor() : undefined,
        ...more,
      }),
    handshake: timeouts['handshake'] ?? 0,
    reconnect: 0,
    listening: (port) =>
      process.stderr.write(
        `Fold gateway on 127.0.0.1:${port}, playing "${visible(scenario.title)}" with the first agent that comes; Ctrl-C stops\n`,
      ),
  });
  let musts = 0;
  agent.session.onEvent = (event) => {
    const line = flags.json === true ? JSON.stringify(event) : eventLine(event, 'agent');
    if (line !== undefined && flags.quiet !== true) process.stdout.write(`${line}\n`);
  };
  agent.session.judge.onViolation = (id, { message }) => {
    const level = levels.get(id) ?? '';
    if (level === 'MUST') musts++;
    process.stdout.write(colors.red(`          agent        ✗ ${id} ${level}: ${visible(message)}\n`));
  };
  const abort = new AbortController();
  onInterrupt(abort, () => {});
  abort.signal.addEventListener('abort', () => agent.interrupt());
  const { is } = await agent.start(scenario);
  const played = is === 'ready' ? await agent.play(scenario) : undefined;
  const { events } = await agent.finish(timeouts['late'] ?? 0);
  await agent.stop();
  if (flags.record !== undefined)
    writeTraceFile(flags.record, simulatedHeader(scenario.name, revision), events);
  const outcome = played === undefined ? 'no agent got ready' : (played.reason ?? 'played to its end');
  process.stderr.write(`${scenario.name}: ${visible(outcome)}; ${musts} violations of a MUST\n`);
  process.exitCode = abort.signal.aborted
    ? exitCodes.interrupted
    : musts > 0
      ? exitCodes.notConformant
      : played?.outcome === 'done'
        ? exitCodes.conformant
        : exitCodes.inconclusive;
}
