/**
 * The kit as the operator of a gateway that offers the published ClientService, over gRPC. A send listens to its
 * conversation first and then gives its message. Events there do not say whose they are, so one send a conversation
 * runs at a time; what ClientService has no method or place for is said to be unsupported, never half done.
 */
import type { Metadata, Status } from '../../../kit/base/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import type { ListAgentsResponse } from '../../messages.ts';
import type { OperatorRequest } from '../../operator.ts';
import { unary } from './call.ts';
import { ClientSend } from './send.ts';
import { approveTool, listAgents } from './protobuf.ts';
import { driverDial, fine, unsupported } from '../driver-link.ts';
import type { DriverCall, Caller } from '../driver-link.ts';

/** How ClientService is reached. */
export interface ClientServiceDriverOptions {
  /** Opens streams to the gateway, their method from `:path`. */
  readonly dial: Dial;
  /** Numbers for the names of streams. */
  readonly next: () => number;
  /** Sent with every call: credentials. */
  readonly metadata?: Metadata;
}

/**
 * Makes the driver.
 *
 * @example
 * let calls = 0;
 * const operator = (toGateway: Dial) => clientServiceDriver({ dial: toGateway, next: () => ++calls });
 */
export function clientServiceDriver({ dial, next, metadata = {} }: ClientServiceDriverOptions): Dial {
  const busy = new Set<string>();
  return driverDial('client-service', next, (request, caller) => {
    if (request.send !== undefined) return send(request.send);
    return simple(dial, metadata, request, caller);

    function send(asked: NonNullable<OperatorRequest['send']>): DriverCall | Status {
      const refusal = refusalOf(asked);
      if (refusal !== undefined) return refusal;
      const key = asked.agent_id ?? asked.thread_id ?? '';
      if (busy.has(key)) {
        return unsupported(`ClientService does not say whose an event is: one send to ${key} at a time`);
      }
      busy.add(key);
      return new ClientSend({ dial, metadata, key, asked, caller, over: () => void busy.delete(key) });
    }
  });
}

/** Why a send cannot be made as it is asked; a send that would be another one is not made. */
function refusalOf({ agent_id, thread_id }: NonNullable<OperatorRequest['send']>): Status | undefined {
  if ((agent_id ?? '') !== '' && (thread_id ?? '') !== '') {
    return unsupported('ClientService takes an agent or a thread, not both');
  }
  if ((agent_id ?? '') === '' && (thread_id ?? '') === '') {
    return unsupported('ClientService has to be told an agent or a thread');
  }
  return undefined;
}

/** The calls of one answer. */
function simple(
  dial: Dial,
  metadata: Metadata,
  request: OperatorRequest,
  caller: Caller,
): DriverCall | Status {
  if (request.approve !== undefined) {
    return unary(dial, metadata, approveTool, request.approve, (answer) => {
      if ('code' in answer) return caller.ended(answer);
      const { success = false, error } = answer.message;
      if (!success) return caller.ended({ code: 5, message: error ?? 'ApproveTool answered success: false' });
      caller.reply('ok', {});
      caller.ended(fine);
    });
  }
  if (request.agents !== undefined) {
    return unary(dial, metadata, listAgents, {}, (answer) => {
      if ('code' in answer) return caller.ended(answer);
      const listed = (answer.message.agents ?? []).filter(({ connected = false }) => connected);
      caller.reply('agents', listed.map(listing));
      caller.ended(fine);
    });
  }
  return unsupported(`ClientService has no ${Object.keys(request)[0] ?? 'such call'}`);
}

type AgentInfo = NonNullable<ListAgentsResponse['agents']>[number];

/** What is not in the list of ClientService is left empty. */
function listing({ id = '', name = '', backend = '', working_dir = '' }: AgentInfo): unknown {
  return { id, name, backend, working_dir, instance_id: '', capabilities: [], workspaces: [] };
}
