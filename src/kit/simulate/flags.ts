/** Reads the flags of a simulated peer. A wrong value is refused in a sentence that names its flag. */
import { readFileSync } from 'node:fs';
import { WireproofError } from '../base/index.ts';
import { duration } from '../scenario/index.ts';
import type { SimulatorRun } from '../suite/index.ts';

/** Where something listens. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** Flags by their long names, such as `agent-id`. Every method throws WireproofError 'usage' on a wrong value. */
export class Flags {
  readonly #run: SimulatorRun;

  constructor(run: SimulatorRun) {
    this.#run = run;
  }

  /** The text of a flag; undefined where it was not given and has no default. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** The texts of a flag that may be given several times. */
  list(name: string): readonly string[] {
    const value = this.#value(name);
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** Whether a flag without a value was given. For `rules` and `redact`: whether `--no-…` was not. */
  on(name: string): boolean {
    return this.#value(name) === true;
  }

  /** A time in milliseconds. */
  time(name: string): number | undefined {
    return this.#read(name, 'a time such as 300ms or 30s', duration);
  }

  /** A whole number above 0. */
  count(name: string, of: string): number | undefined {
    return this.#read(name, `a whole number of ${of} above 0`, (text) =>
      Number.isInteger(Number(text)) && Number(text) > 0 ? Number(text) : undefined,
    );
  }

  /** A host and a port, or only a port. */
  hostPort(name: string): HostPort | undefined {
    return this.#read(name, 'host:port, such as 127.0.0.1:50051', hostPortOf);
  }

  /** The host and port of `--listen` or `--connect`: as given, else as the peer has them by default. */
  address(name: 'listen' | 'connect'): HostPort {
    return this.hostPort(name) ?? hostPortOf(this.#run.simulator.address) ?? { host: '127.0.0.1', port: 0 };
  }

  /** The value of the environment variable that a flag names. */
  variable(name: string): string | undefined {
    return this.#read(name, 'the name of an environment variable that is set', (variable) => {
      const value = this.#run.process.env[variable];
      if (value === undefined || value === '')
        throw usage(`--${name} ${variable}: the environment variable ${variable} is not set`);
      return value;
    });
  }

  /** The content of the file that a flag names. */
  file(name: string): string | undefined {
    return this.#read(name, 'a file', (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        throw usage(`--${name} ${path}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
  }

  #read<T>(name: string, expected: string, read: (text: string) => T | undefined): T | undefined {
    const text = this.text(name);
    const value = text === undefined ? undefined : read(text);
    if (text !== undefined && value === undefined) throw usage(`--${name} ${text}: expected ${expected}`);
    return value;
  }

  #value(name: string): unknown {
    return this.#run.flags[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  }
}

function hostPortOf(text: string): HostPort | undefined {
  const [, host = '127.0.0.1', port] = /^(?:(?:tcp|ws):\/\/)?(?:(.+):)?(\d{1,5})\/?$/.exec(text) ?? [];
  return port === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}
