/** How a mutant gateway is made: the reference gateway with one fault. */
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { MakePeer, Mutant } from '../../../../src/kit/suite/index.ts';
import { gateway } from '../../../../src/fold/index.ts';
import type { GatewayOptions } from '../../../../src/fold/index.ts';
import { gatewayOptions, hostedGateway } from '../target.ts';
import { both, kindOf } from './faults.ts';
import type { GatewayFault } from './faults.ts';

/** The beginning of the command that reports a ping to a mutant. Roles do not receive pings. */
const pinged = 'ping on ';

/** Gives pings to the fault. Hides an operator's half-close, because a fault may hold its call back. */
function hostFault({ ping }: GatewayFault): GatewayFault {
  const called = new Set<string>();
  return {
    input(input, context) {
      const reason = input.type === 'command' ? (input.command.reason ?? '') : '';
      if (reason.startsWith(pinged)) {
        ping?.(reason.slice(pinged.length), context);
        return [];
      }
      if (!('peer' in input) || kindOf(context, input.peer) !== 'operator') return [input];
      if (input.type === 'message') called.add(input.peer);
      return input.type === 'half_close' && called.has(input.peer) ? [] : [input];
    },
  };
}

/** A peer that reports pings to its role. */
const hearingPings =
  (make: MakePeer): MakePeer =>
  (world) => {
    const peer = make(world);
    return {
      ...peer,
      accept(link, metadata) {
        const events = peer.accept(link, metadata);
        const ping = events.ping.bind(events);
        return Object.assign(events, {
          ping() {
            ping();
            peer.command({ do: 'shutdown', reason: `${pinged}${link.stream}` });
          },
        });
      },
    };
  };

/**
 * Makes a mutant.
 *
 * @param breaks the requirement that it breaks
 * @param fault makes a new fault for each run, from the options of the scenario
 * @param options edits the options
 *
 * @example
 * import { toAgents } from './faults.ts';
 *
 * mutant('FOLD-G04', 'server-id-empty', 'Its Welcome has no server_id.', () =>
 *   toAgents((m) => [m.welcome === undefined ? m : { welcome: { ...m.welcome, server_id: '' } }]),
 * );
 */
export const mutant = (
  breaks: string,
  id: string,
  title: string,
  fault: (options: Partial<GatewayOptions>) => GatewayFault,
  options: (given: Partial<GatewayOptions>) => Partial<GatewayOptions> = (given) => given,
): Mutant => ({
  id,
  breaks,
  title,
  make(reference) {
    const given = gatewayOptions(reference);
    const faulty = intercepted(gateway(options(given)), () => {
      const own = fault(given);
      return { ...own, ...both(hostFault(own), own) };
    });
    return hearingPings(hostedGateway(faulty));
  },
});
