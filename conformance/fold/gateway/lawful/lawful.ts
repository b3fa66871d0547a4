/** How a lawful gateway is made: the reference gateway with one oddity that its protocol allows. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { GatewayOptions, OperatorReply, ServerMessage } from '../../../../src/fold/index.ts';
import { toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';
import { mutant } from '../mutants/mutant.ts';

/** The documents that allow the oddities. */
export const documents = {
  agents: 'Coven agent protocol (AGENT_PROTOCOL text), as published',
  schema: 'Coven protocol schema (coven.proto), as published',
  enhancements: 'Fold Protocol Enhancements, 2026-01-19',
  page: 'Wireproof, Fold (spec/fold/README.md)',
} as const;

/** The parts of a lawful gateway that few have. */
export interface LawfulParts {
  /** Edits the reference's options. */
  readonly options?: (given: Partial<GatewayOptions>) => Partial<GatewayOptions>;
  readonly lacks?: readonly string[];
  readonly unseen?: { readonly [row: string]: string };
}

/**
 * Makes a lawful gateway.
 *
 * @param allowed the document and the section that allow the oddity
 * @param oddity makes a new oddity for each run
 */
export const lawful = (
  id: string,
  title: string,
  allowed: string,
  oddity: () => GatewayFault,
  { options, ...parts }: LawfulParts = {},
): LawfulPeer => ({ id, title, allowed, ...parts, make: mutant('', id, title, oddity, options).make });

/** A reply of the gateway's own, of any name. */
export const ownReply = (name: string, data: unknown): OperatorReply => Object.fromEntries([[name, data]]);

/** Sends a message of one kind to agents later. `ms`: how much later. */
export const late = (name: keyof ServerMessage, ms: number) => (): GatewayFault =>
  toAgents((m, context, peer) => {
    if (m[name] === undefined) return [m];
    context.later(ms, (then) => then.put({ type: 'send', peer, message: m }));
    return [];
  });
