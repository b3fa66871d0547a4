/**
 * `wireproof simulate toon/orchestrator` and `toon/subagent`: one side of TOON (Task Orchestration Over Node) to write
 * the other against. Listens, dials, starts a program, or speaks on its own stdin and stdout.
 */
import { createInterface } from 'node:readline';
import { WireproofError } from '../src/kit/base/index.ts';
import type { JsonObject, Scenario } from '../src/kit/base/index.ts';
import { TargetConnector } from '../src/kit/run/index.ts';
import { duration } from '../src/kit/scenario/index.ts';
import { scenariosOf, shownCarrier } from '../src/kit/suite/index.ts';
import type { Carrier, Suite, TargetPlan } from '../src/kit/suite/index.ts';
import { readScenario } from '../src/kit/spec/index.ts';
import { Connections, byteWire } from '../src/kit/transport/index.ts';
import type { Accept } from '../src/kit/world/index.ts';
import { toonOrchestratorSuite } from '../conformance/toon/orchestrator/suite.ts';
import { toonSubagentSuite } from '../conformance/toon/subagent/suite.ts';
import type { ToonView } from '../conformance/toon/shared/view.ts';
import { exitCodes } from './exit.ts';
import { onInterrupt } from './interrupt.ts';
import { hostPort } from './simulate-gateway-options.ts';
import { ToonSessions } from './toon-sessions.ts';

/** The flags of the two peers. */
export interface SimulateToonFlags {
  readonly listen?: string;
  readonly connect?: string;
  readonly carrier?: string;
  readonly instruction: readonly string[];
  readonly compress?: boolean;
  readonly heartbeat?: string;
  readonly idle?: string;
  readonly scenario?: string;
  readonly record?: string;
  readonly rules: boolean;
  readonly redact: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

type Side = 'orchestrator' | 'subagent';

/** A side's own suite, and the one that judges whom it meets. */
const suitesOf: { readonly [side in Side]: Record<'own' | 'other', Suite<ToonView>> } = {
  orchestrator: { own: toonOrchestratorSuite, other: toonSubagentSuite },
  subagent: { own: toonSubagentSuite, other: toonOrchestratorSuite },
};

/** What the orchestrator asks when nobody says what. */
const greeting = 'Say that you are there.';
/** Where the other side comes when nobody says where. */
const usualPlace = '127.0.0.1:50061';
/** Largest WebSocket message taken (bytes): more than a peer may send, so that one too large is seen and judged. */
const maxReceive = 32 << 20;
/** How long a program may take until it listens (ms). */
const patience = 5000;
/** After a program's end, what is on its way gets so long to come (ms). */
const afterExit = 300;

/** Plays a side until it is stopped, or until what it was to meet is over. */
export async function simulateToon(
  side: Side,
  command: readonly string[],
  flags: SimulateToonFlags,
): Promise<void> {
  const carrier = carrierOf(command, flags);
  const ownPipes = carrier === 'stdio' && command.length === 0;
  const once = command.length > 0 || ownPipes || flags.connect !== undefined || flags.scenario !== undefined;
  const abort = new AbortController();
  onInterrupt(abort, () => {});
  let finish = (): void => {};
  const over = new Promise<void>((resolve) => {
    finish = resolve;
    abort.signal.addEventListener('abort', () => resolve());
  });
  const { own, other } = suitesOf[side];
  const sessions = new ToonSessions({
    suite: {
      ...other,
      ...(flags.scenario === undefined ? { peers: { [`toon/${side}`]: own.reference } } : {}),
    },
    scenario: flags.scenario === undefined ? free(side, flags) : named(other, flags.scenario),
    // Where stdout carries the messages, what is for people goes to stderr.
    out: ownPipes ? process.stderr : process.stdout,
    rules: flags.rules,
    redact: flags.redact,
    quiet: flags.quiet === true,
    json: flags.json === true,
    record: flags.record,
    over: () => void (once && finish()),
  });
  const accept = sessions.accept(carrier);
  const close = ownPipes
    ? overOwnPipes(accept)
    : await met(side, carrier, planOf(command, flags), accept, finish);
  if (flags.instruction.includes('-')) instructFromStdin(sessions);
  await over;
  sessions.end();
  await close();
  process.exitCode = sessions.musts > 0 ? exitCodes.notConformant : exitCodes.conformant;
  // Else a stdin that is still open would keep the process.
  process.stdin.destroy();
}

/** What carries the messages: as it was named, or as the command shows. */
function carrierOf(command: readonly string[], { carrier, connect }: SimulateToonFlags): Carrier {
  const there = toonSubagentSuite.target.kind === 'meets' ? toonSubagentSuite.target.carriers : [];
  const found = there.find((name) => name === (carrier ?? shownCarrier(command, connect)));
  if (found !== undefined) return found;
  throw new WireproofError('usage', `--carrier ${carrier ?? ''}: there are ${there.join(', ')}`);
}

/** Where the other side is: a program to start, a place to dial, or one to wait at. */
function planOf(command: readonly string[], { listen, connect }: SimulateToonFlags): TargetPlan {
  if (command.length > 0) return { kind: 'command', command, env: {} };
  if (connect !== undefined)
    return { kind: 'connect', ...hostPort(connect.replace(/^(tcp|ws):\/\/|\/$/g, ''), '--connect') };
  return { kind: 'listen', ...hostPort(listen ?? usualPlace, '--listen') };
}

/** Meets the other side. @returns how to let go of it */
async function met(
  side: Side,
  carrier: Carrier,
  target: TargetPlan,
  accept: Accept,
  over: () => void,
): Promise<() => Promise<void>> {
  const onExit = (): void => void setTimeout(over, afterExit);
  const approach = new TargetConnector({ target, carrier, accept, maxReceive, patience, onExit });
  const why = await approach.open();
  if (why !== undefined) throw new WireproofError('environment', why);
  const where =
    target.kind === 'listen' ? `on ${target.host}:${approach.port} (${carrier})` : `over ${carrier}`;
  process.stderr.write(`TOON (Task Orchestration Over Node) ${side} ${where}; Ctrl-C stops\n`);
  return () => approach.close();
}

function overOwnPipes(accept: Accept): () => Promise<void> {
  const wires = new Connections('stdio', accept);
  wires.add(byteWire({ readable: process.stdin, writable: process.stdout }));
  return () => Promise.resolve();
}

/** Lines of stdin become instructions of every open session. */
function instructFromStdin(sessions: ToonSessions<ToonView>): void {
  createInterface({ input: process.stdin }).on('line', (instruction) => {
    if (instruction.trim() !== '')
      sessions.tell('orchestrator', { type: 'INSTRUCTION', payload: { instruction } });
  });
}

function time(text: string | undefined, flag: string): number | undefined {
  const ms = text === undefined ? undefined : duration(text);
  if (text === undefined || ms !== undefined) return ms;
  throw new WireproofError('usage', `${flag} ${text}: expected a time such as 300ms or 30s`);
}

/** A session without a script: the reference plays, for as long as it takes. */
function free(side: Side, flags: SimulateToonFlags): Scenario {
  const fromStdin = flags.instruction.includes('-');
  const asked = flags.instruction.filter((text) => text !== '-');
  const instructions = asked.length > 0 || fromStdin ? asked : [greeting];
  const [idle, heartbeat] = [time(flags.idle, '--idle'), time(flags.heartbeat, '--heartbeat')];
  const options: JsonObject = {
    epoch: Date.now(),
    compress: flags.compress === true,
    ...(side === 'orchestrator' ? { instructions, stay: fromStdin } : {}),
    ...(idle === undefined ? {} : { idle }),
    ...(heartbeat === undefined ? {} : { heartbeat }),
  };
  return {
    name: 'simulated',
    title: 'simulated',
    suite: suitesOf[side].other.id,
    needs: { drive: [], features: [] },
    exercises: [],
    fresh: false,
    alone: false,
    last: false,
    reference: {},
    peers: { [side]: { role: `toon/${side}`, options } },
    steps: [],
  };
}

function named(suite: Suite<ToonView>, name: string): Scenario {
  const found = scenariosOf(suite).find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (/\.ya?ml$/.test(name)) return readScenario(name);
  throw new WireproofError(
    'usage',
    `--scenario ${name}: no such scenario; see wireproof list scenarios ${suite.id}, or give a .yaml file`,
  );
}
