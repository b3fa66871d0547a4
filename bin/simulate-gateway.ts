/**
 * `wireproof simulate fold/gateway`: a gateway to write an agent against. Shows what crosses, judges it as it
 * happens, and takes an operator's orders from the terminal, a script, or the HTTP face.
 */
import { createReadStream, existsSync, openSync, writeSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import picocolors from 'picocolors';
import { WireproofError } from '../src/kit/base/index.ts';
import type { TraceEvent } from '../src/kit/base/index.ts';
import { readRequirements } from '../src/kit/spec/index.ts';
import { visible } from '../src/kit/report/index.ts';
import { secretRedactor } from '../src/kit/world/index.ts';
import type { WireKind } from '../src/fold/index.ts';
import { openSqliteLedger, serveGateway } from '../src/fold/edge/index.ts';
import type { GatewayServer } from '../src/fold/edge/index.ts';
import type { LiveViolation } from '../conformance/fold/agent/live.ts';
import { exitCodes } from './exit.ts';
import { eventLine } from './gateway-lines.ts';
import { runScript } from './gateway-script.ts';
import type { ScriptStage } from './gateway-script.ts';
import { Traffic } from './gateway-traffic.ts';
import { gatewaySettings } from './simulate-gateway-options.ts';
import type { SimulateGatewayFlags } from './simulate-gateway-options.ts';
import { simulatedHeader } from './traces.ts';
import { playScenario } from './simulate-gateway-scenario.ts';

export type { SimulateGatewayFlags } from './simulate-gateway-options.ts';

/** Plays the gateway until it is stopped. */
export async function simulateGateway(flags: SimulateGatewayFlags): Promise<void> {
  if (flags.scenario !== undefined) return playScenario(flags.scenario, flags);
  if (flags.script !== undefined && !existsSync(flags.script))
    throw new WireproofError('usage', `--script ${flags.script}: there is no such file`);
  // What it would say of a port, our own error says better.
  setLogVerbosity(logVerbosity.NONE);
  const simulation = new Simulation(flags);
  await simulation.run();
}

class Simulation {
  readonly #flags: SimulateGatewayFlags;
  readonly #colors = picocolors.createColors(process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '');
  readonly #levels: ReadonlyMap<string, string>;
  readonly #traffic: Traffic;
  /** What was seen since the last order, by name; who waits for what. */
  #names: string[] = [];
  #waiting: { readonly what: string; readonly there: () => void } | undefined;
  #prompt: (() => void) | undefined;
  #file: number | undefined;
  #recorded = 0;
  #violations = 0;
  #musts = 0;

  constructor(flags: SimulateGatewayFlags) {
    this.#flags = flags;
    if (flags.record !== undefined) this.#file = recordTo(flags.record);
    this.#levels = new Map(readRequirements('fold').requirements.map(({ id, level }) => [id, level]));
    this.#traffic = new Traffic({
      redact: flags.redact ? secretRedactor() : undefined,
      rules: flags.rules,
      event: (event, who, kind) => this.#event(event, who, kind),
      violated: (violation) => this.#violated(violation),
    });
  }

  async run(): Promise<void> {
    const settings = gatewaySettings(this.#flags);
    const ledger =
      this.#flags.ledger === undefined ? {} : { ledger: await openSqliteLedger(this.#flags.ledger) };
    const server = await serveGateway({
      ...settings,
      ...ledger,
      tap: this.#traffic.tap,
      report: (what, detail) => this.#say(this.#colors.dim(`· ${what}: ${visible(detail)}`)),
    });
    process.stderr.write(banner(server, settings.host));
    this.#onInterrupt(server);
    void this.#orders(server);
    await server.stopped;
    if (this.#prompt !== undefined) process.stderr.write('\r\u001b[K');
    this.#prompt = undefined;
    this.#traffic.end();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#sum();
    process.exit();
  }

  /** The first interrupt stops in an orderly way, the second at once. */
  #onInterrupt(server: GatewayServer): void {
    let first = true;
    process.on('wireproof:interrupt', () => {
      if (!first) process.exit(exitCodes.interrupted);
      first = false;
      process.exitCode = exitCodes.interrupted;
      this.#say('stopping: agents are told, requests may end (again: stop at once)');
      server.shutdown('the gateway was stopped');
    });
  }

  async #orders(server: GatewayServer): Promise<void> {
    const stage: ScriptStage = {
      seen: this.#traffic,
      ask: (request, on) => {
        this.#names = [];
        server.ask(request, on);
      },
      say: (text) => this.#say(text),
      until: (what, ms) => this.#until(what, ms),
    };
    const { script } = this.#flags;
    if (script !== undefined) {
      const lines = createInterface({ input: createReadStream(script), crlfDelay: Infinity });
      const end = await runScript(lines, stage).catch((error: unknown) => {
        this.#say(`? cannot read ${script}: ${error instanceof Error ? error.message : String(error)}`);
        return 'late' as const;
      });
      if (end === 'late') process.exitCode = exitCodes.inconclusive;
      if (end !== 'end') return server.close();
    }
    const terminal = process.stdin.isTTY;
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal, prompt: '> ' });
    if (terminal) {
      this.#prompt = () => lines.prompt(true);
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      this.#prompt();
    }
    if ((await runScript(lines, stage)) === 'quit') server.close();
  }

  #until(what: string, ms: number): Promise<boolean> {
    const at = this.#names.indexOf(what);
    if (at >= 0) {
      this.#names.splice(0, at + 1);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = undefined;
        resolve(false);
      }, ms);
      const there = (): void => {
        clearTimeout(timer);
        this.#waiting = undefined;
        this.#names = [];
        resolve(true);
      };
      this.#waiting = { what, there };
    });
  }

  #event(event: TraceEvent, who: string, kind: WireKind): void {
    if (kind === 'agent') this.#record(event);
    const names = namesOf(event);
    this.#names.push(...names);
    if (this.#names.length > 10_000) this.#names = this.#names.slice(-1000);
    if (this.#waiting !== undefined && names.includes(this.#waiting.what)) this.#waiting.there();
    if (this.#flags.quiet === true) return;
    if (this.#flags.json === true) this.#say(JSON.stringify(event));
    else if (kind !== 'operator') this.#line(event, who);
  }

  /** Keeps what agents do: the trace has positions of its own, for it leaves packs and operators out. */
  #record(event: TraceEvent): void {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${JSON.stringify({ ...event, seq: this.#recorded++ })}\n`);
  }

  #line(event: TraceEvent, who: string): void {
    const line = eventLine(event, who);
    if (line !== undefined) this.#say(event.from === 'target' ? line : this.#colors.cyan(line));
  }

  #violated({ requirement, agent, finding }: LiveViolation): void {
    const level = this.#levels.get(requirement) ?? '';
    this.#violations++;
    if (level === 'MUST') this.#musts++;
    if (this.#flags.json === true) return;
    const text = `          ${visible(agent, { limit: 24 }).padEnd(12)} ✗ ${requirement} ${level}: ${visible(finding.message)}`;
    this.#say(level === 'MUST' ? this.#colors.red(text) : this.#colors.yellow(text));
  }

  /** A line on stdout, above what is being typed. */
  #say(text: string): void {
    if (this.#prompt !== undefined) process.stderr.write('\r\u001b[K');
    process.stdout.write(`${text}\n`);
    this.#prompt?.();
  }

  #sum(): void {
    if (!this.#flags.rules) return;
    const none = this.#violations === 0;
    const counts = `${this.#violations} violations, ${this.#musts} of a MUST`;
    process.stderr.write(none ? 'no violation was seen\n' : `${counts}; wireproof explain ID says more\n`);
    if (this.#musts > 0 && process.exitCode === undefined) process.exitCode = exitCodes.notConformant;
  }
}

/** The words by which a script may wait for an event: its message's name, its event's name, or its kind. */
function namesOf({ kind, data }: TraceEvent): string[] {
  if (kind !== 'message') return [kind];
  const [name = '', value] = Object.entries(data)[0] ?? [];
  if (name !== 'response' || typeof value !== 'object' || value === null) return [name];
  return [name, ...Object.keys(value).filter((key) => key !== 'request_id')];
}

function recordTo(path: string): number {
  try {
    const file = openSync(path, 'w');
    const { revision } = readRequirements('fold');
    writeSync(file, `${JSON.stringify(simulatedHeader('simulate', revision))}\n`);
    return file;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WireproofError('environment', `--record ${path}: ${why}`, { cause: error });
  }
}

function banner({ port, httpPort }: GatewayServer, host: string): string {
  const face = `http://${host}:${httpPort}`;
  return [
    `Fold gateway on ${host}:${port} (coven.CovenControl, fold.FoldControl, PackService, ClientService, health, reflection)`,
    `  an agent reaches it by    my-agent --gateway ${host}:${port}`,
    ...(httpPort === 0 ? [] : [`  an operator by            curl ${face}/   (GET / says what there is)`]),
    `  here                      type help; Ctrl-C stops`,
    '',
  ].join('\n');
}
