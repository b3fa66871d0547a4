/** Finds suites and protocols by name. */
import { didYouMean, WireproofError } from '../base/index.ts';
import type { Protocol, Simulator } from './protocol.ts';
import type { Suite } from './suite.ts';

/** The protocols of a command, by name. */
export class Registry {
  /** In the order in which lists show them. */
  readonly protocols: readonly Protocol[];

  constructor(protocols: readonly Protocol[]) {
    this.protocols = protocols;
  }

  /** The ids of all suites, such as `fold/agent`. */
  get suites(): readonly string[] {
    return this.protocols.flatMap(({ name, suites }) => Object.keys(suites).map((role) => `${name}/${role}`));
  }

  /** The ids of the suites whose reference is a testee. */
  get testees(): readonly string[] {
    return this.protocols.flatMap(({ name, testees = [] }) => testees.map((role) => `${name}/${role}`));
  }

  /** The peers that can be simulated. */
  get simulators(): readonly Simulator[] {
    return this.protocols.flatMap(({ simulators = [] }) => simulators);
  }

  /** The protocol with a name; undefined when no protocol has it. */
  protocol(name: string): Protocol | undefined {
    return this.protocols.find((protocol) => protocol.name === name);
  }

  /**
   * Loads a suite.
   *
   * @param also - further words that the error lists
   * @throws WireproofError 'usage' when no suite has this id
   */
  async loadSuite(id: string, also: readonly string[] = []): Promise<Suite> {
    const [name = '', role = ''] = id.split('/');
    const suites = this.protocol(name)?.suites ?? {};
    const load = Object.hasOwn(suites, role) && id === `${name}/${role}` ? suites[role] : undefined;
    if (load !== undefined) return load();
    throw new WireproofError(
      'usage',
      `unknown suite "${id}"${didYouMean(id, [...this.suites, ...also])}; the suites are ${[...this.suites, ...also].join(', ')}`,
    );
  }

  /** The features of all suites of a protocol. */
  async featuresOf(protocol: string): Promise<readonly string[]> {
    const suites = Object.values(this.protocol(protocol)?.suites ?? {});
    const loaded = await Promise.all(suites.map((load) => load()));
    return loaded.flatMap(({ features }) => features.map(({ name }) => name));
  }

  loadAll(): Promise<readonly Suite[]> {
    return Promise.all(this.suites.map((id) => this.loadSuite(id)));
  }
}
