/** What the oddities of lawful gateways share. */
import { sendLate } from '../../../../src/kit/suite/index.ts';
import type { OperatorReply, ServerMessage } from '../../../../src/fold/index.ts';
import { toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';

/** A reply of the gateway's own, of any name. */
export const ownReply = (name: string, data: unknown): OperatorReply => Object.fromEntries([[name, data]]);

/** Sends a message of one kind to agents later. `ms`: how much later. */
export const late = (name: keyof ServerMessage, ms: number) => (): GatewayFault =>
  toAgents(sendLate(ms, (m) => m[name] !== undefined));
