/**
 * The sessions of a simulated side of TOON (Task Orchestration Over Node): each connection has a peer, a trace and a
 * judge of its own. What crosses is shown as it happens, and so is what the other side does wrong.
 */
import picocolors from 'picocolors';
import type { Scenario, TraceEvent, TraceHeader } from '../src/kit/base/index.ts';
import { Lane } from '../src/kit/suite/index.ts';
import type { Carrier, Meeting, Suite } from '../src/kit/suite/index.ts';
import { visible } from '../src/kit/report/index.ts';
import { readRequirements } from '../src/kit/spec/index.ts';
import { freshSeed, framed, realClock, secretRedactor, seededRandom } from '../src/kit/world/index.ts';
import type { Accept } from '../src/kit/world/index.ts';
import { toonLine } from './toon-lines.ts';
import { writeTraceFile } from './traces.ts';

/** How sessions go, and what is shown of them. */
export interface SessionOptions<V> {
  /** Judges the other side; its peers are those that play. */
  readonly suite: Suite<V>;
  /** What each connection meets; its steps are played where there are any. */
  readonly scenario: Scenario;
  readonly out: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly rules: boolean;
  readonly redact: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly record: string | undefined;
  /** Hears that a session is over. */
  readonly over: () => void;
}

/** After a scenario, what is late gets so long (ms). */
const late = 300;

/** See the file's head. */
export class ToonSessions<V> {
  /** Violations of a MUST so far. */
  musts = 0;
  readonly #options: SessionOptions<V>;
  readonly #levels: ReadonlyMap<string, string>;
  readonly #revision: string;
  readonly #colors: ReturnType<typeof picocolors.createColors>;
  readonly #redact: ((secret: string) => string) | undefined;
  readonly #open = new Map<Lane<V>, number>();
  #count = 0;

  constructor(options: SessionOptions<V>) {
    this.#options = options;
    const { revision, requirements } = readRequirements(options.suite.protocol);
    this.#revision = revision;
    this.#levels = new Map(requirements.map(({ id, level }) => [id, level]));
    this.#colors = picocolors.createColors(
      options.out.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
    );
    this.#redact = options.redact ? secretRedactor() : undefined;
  }

  /** Takes connections of a carrier. */
  accept(carrier: Carrier): Accept {
    const { suite, scenario } = this.#options;
    const { framing } = suite.target as Meeting<V>;
    return (link, metadata) => {
      const lane = this.#lane();
      lane.setPeers(scenario.peers);
      const accept = carrier === 'ws' ? lane.accept : framed(lane.accept, framing);
      const events = accept(link, metadata);
      if (scenario.steps.length > 0) lane.play(scenario, () => void setTimeout(() => this.#end(lane), late));
      return {
        headers: (headers) => events.headers(headers),
        message: (bytes) => events.message(bytes),
        halfClose: () => events.halfClose(),
        drained: () => events.drained(),
        ping: () => events.ping(),
        ended: (status) => {
          events.ended(status);
          this.#end(lane);
        },
      };
    };
  }

  /** Has the peer of every open session send a message. */
  tell(peer: string, message: Parameters<Lane<V>['tell']>[1]): void {
    for (const lane of this.#open.keys()) lane.tell(peer, message);
  }

  /** Ends all there are. */
  end(): void {
    for (const lane of this.#open.keys()) this.#end(lane);
  }

  #lane(): Lane<V> {
    const { suite, rules } = this.#options;
    const lane = new Lane<V>({
      suite,
      clock: realClock(),
      epoch: Date.now(),
      random: seededRandom(freshSeed()),
      drive: 'directive',
      timeouts: suite.timeouts,
      timeoutScale: 1,
      redact: this.#redact,
      fault: () => {},
      ...(rules ? {} : { only: new Set<string>() }),
    });
    const number = ++this.#count;
    const who = number > 1 ? `${number} ` : '';
    lane.onEvent = (event) => this.#show(event, who);
    lane.judge.onViolation = (id, { message }) => this.#violated(id, message, who);
    this.#open.set(lane, number);
    return lane;
  }

  #show(event: TraceEvent, who: string): void {
    const { quiet, json, out } = this.#options;
    if (quiet) return;
    const line = json ? JSON.stringify(event) : toonLine(event, who);
    if (line !== undefined) out.write(`${line}\n`);
  }

  #violated(id: string, message: string, who: string): void {
    const level = this.#levels.get(id) ?? '';
    if (level === 'MUST') this.musts++;
    this.#options.out.write(
      this.#colors.red(`${' '.repeat(11)}${who}✗ ${id} ${level}: ${visible(message)}\n`),
    );
  }

  #end(lane: Lane<V>): void {
    const number = this.#open.get(lane);
    if (number === undefined) return;
    this.#open.delete(lane);
    lane.end();
    this.#keep(lane, number);
    this.#options.over();
  }

  #keep(lane: Lane<V>, number: number): void {
    const { record, suite, scenario } = this.#options;
    if (record === undefined) return;
    const header: TraceHeader = {
      wireproof: 'trace/1',
      suite: suite.id,
      revision: this.#revision,
      seed: '0',
      scenario: scenario.name,
      target: 'what the simulator met',
      started: Date.now(),
    };
    writeTraceFile(number > 1 ? record.replace(/(\.\w+)?$/, `-${number}$1`) : record, header, lane.events);
  }
}
