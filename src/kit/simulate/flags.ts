/** Reads the flags of a simulated peer. The error for a wrong value names its flag. */
import { statSync } from 'node:fs';
import { WireproofError, hostPortOf } from '../base/index.ts';
import type { HostPort } from '../base/index.ts';
import { duration } from '../scenario/index.ts';
import { readUserFile } from '../spec/index.ts';
import type { SimulatorRun } from '../suite/index.ts';
import { credentialIn } from '../world/index.ts';
import { standardStreams } from './standard-streams.ts';

/** The largest file that gives the value of a flag (bytes). */
const largestValue = 1 << 20;

/** Flags by their long names, such as `agent-id`. Methods throw WireproofError 'usage' on a wrong value. */
export class Flags {
  readonly #run: SimulatorRun;

  constructor(run: SimulatorRun) {
    this.#run = run;
  }

  /** The text of a flag; undefined when it is absent and has no default. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** The texts of a repeatable flag. */
  list(name: string): readonly string[] {
    const value = this.#value(name);
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** Whether a flag without a value was given. For `rules` and `redact`: whether `--no-…` is absent. */
  on(name: string): boolean {
    return this.#value(name) === true;
  }

  /** A time in milliseconds. */
  time(name: string): number | undefined {
    return this.read(name, 'a time such as 300ms or 30s', duration);
  }

  /** A host and a port, or only a port. A URL of the carriers TCP and WebSocket has them, too. */
  hostPort(name: string): HostPort | undefined {
    return this.read(name, 'host:port, such as 127.0.0.1:50051', (text) =>
      /^(?!tcp:|ws:)\w+:\/\//.test(text) ? undefined : hostPortOf(text),
    );
  }

  /** The host and port of `--listen` or `--connect`, as given or by default. */
  address(name: 'listen' | 'connect'): HostPort {
    return this.hostPort(name) ?? hostPortOf(this.#run.simulator.address) ?? { host: '127.0.0.1', port: 0 };
  }

  /** The credential in the environment variable that a flag names. */
  variable(name: string): string | undefined {
    const variable = this.text(name) ?? '';
    if (variable === '') return undefined;
    return credentialIn(variable, `--${name} ${variable}`, standardStreams(this.#run).env);
  }

  /** The content of the file that a flag names. */
  file(name: string): string | undefined {
    const path = this.text(name);
    return path === undefined
      ? undefined
      : readUserFile(path, { kind: `the value of --${name}`, most: largestValue });
  }

  /** The path of a folder that exists. */
  folder(name: string): string | undefined {
    return this.read(name, 'a folder that exists', (path) =>
      statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined,
    );
  }

  /** The value that `read` gives for a flag's text. `read` returns undefined for a wrong text. */
  read<T>(name: string, expected: string, read: (text: string) => T | undefined): T | undefined {
    const text = this.text(name);
    const value = text === undefined ? undefined : read(text);
    if (text === undefined || value !== undefined) return value;
    throw new WireproofError('usage', `--${name} ${text}: expected ${expected}`);
  }

  #value(name: string): unknown {
    return this.#run.flags[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  }
}
