/**
 * The kit as the operator of a gateway with the published ClientService, over gRPC. A send first listens to its
 * conversation, then sends its message. The events do not name their request, so one send runs at a time in each
 * conversation. A call that ClientService cannot express is reported as unsupported.
 */
import type { Metadata } from '../../../kit/base/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import type { ListAgentsResponse } from '../../messages.ts';
import { approveTool, listAgents } from './methods.ts';
import { ClientSend } from './send.ts';
import { call } from './unary.ts';
import { driverDial, okStatus, unsupported } from '../driver-link.ts';
import type { StartCall } from '../driver-link.ts';

export interface ClientServiceDriverOptions {
  /** Opens streams to the gateway; `:path` is their method. */
  readonly dial: Dial;
  /** Numbers the names of streams. */
  readonly next: () => number;
  /** The metadata of every call, such as credentials. */
  readonly metadata?: Metadata;
}

/**
 * Makes the driver.
 *
 * @example
 * let calls = 0;
 * const operator = (toGateway: Dial) => clientServiceDriver({ dial: toGateway, next: () => ++calls });
 */
export const clientServiceDriver = (options: ClientServiceDriverOptions): Dial =>
  driverDial('client-service', options.next, clientServiceCalls(options));

/** The calls of the driver. */
export function clientServiceCalls({
  dial,
  metadata = {},
}: Omit<ClientServiceDriverOptions, 'next'>): StartCall {
  const busy = new Set<string>();
  return (request, caller) => {
    const { send, approve, agents } = request;
    if (approve !== undefined)
      return call(dial, metadata, approveTool, approve, (answer) => {
        if ('code' in answer) return caller.ended(answer);
        const { success = false, error = 'ApproveTool answered success: false' } = answer.message;
        if (!success) return caller.ended({ code: 5, message: error });
        caller.reply('ok', {});
        caller.ended(okStatus);
      });
    if (agents !== undefined)
      return call(dial, metadata, listAgents, {}, (answer) => {
        if ('code' in answer) return caller.ended(answer);
        const listed = (answer.message.agents ?? []).filter(({ connected = false }) => connected);
        caller.reply('agents', listed.map(listing));
        caller.ended(okStatus);
      });
    if (send === undefined)
      return unsupported(`ClientService has no ${Object.keys(request)[0] ?? 'such call'}`);
    const { agent_id = '', thread_id = '' } = send;
    if (agent_id !== '' && thread_id !== '')
      return unsupported('ClientService takes an agent or a thread, not both');
    const key = agent_id === '' ? thread_id : agent_id;
    if (key === '') return unsupported('ClientService has to be told an agent or a thread');
    if (busy.has(key))
      return unsupported(`ClientService does not say whose an event is: one send to ${key} at a time`);
    busy.add(key);
    return new ClientSend({ dial, metadata, key, send, caller, over: () => void busy.delete(key) });
  };
}

type AgentInfo = NonNullable<ListAgentsResponse['agents']>[number];

/** An agent of ClientService's list. Members that the list does not have are empty. */
function listing({ id = '', name = '', backend = '', working_dir = '' }: AgentInfo): unknown {
  return { id, name, backend, working_dir, instance_id: '', capabilities: [], workspaces: [] };
}
