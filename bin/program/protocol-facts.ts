/** The form of registry.json, from which the command's help knows the protocols. */
import type { Example, Simulator } from '../../src/kit/suite/protocol.ts';

/**
 * The facts of a protocol that the build writes to registry.json (.config/help.mjs), so that help imports no protocol.
 */
export interface ProtocolFacts {
  readonly name: string;
  /** Its name and what it is. */
  readonly title: string;
  readonly suites: readonly string[];
  readonly testees: readonly string[];
  readonly vectors: boolean;
  /** The suites with random conversations. */
  readonly conversations: readonly string[];
  readonly simulators: readonly Omit<Simulator, 'load'>[];
  readonly examples: readonly Example[];
}
