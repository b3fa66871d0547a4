/** How a mutant gateway is made: the reference gateway with one fault. */
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { MakePeer, Mutant } from '../../../../src/kit/suite/index.ts';
import { gateway } from '../../../../src/fold/index.ts';
import type { GatewayOptions } from '../../../../src/fold/index.ts';
import { gatewayOptions, hostedGateway } from '../target.ts';
import { both, kindOf } from './faults.ts';
import type { GatewayFault } from './faults.ts';

/** The command by which a mutant's host tells it of a ping: hosts tell roles of none. */
const pinged = 'ping on ';

/** Gives pings to the fault, and keeps an operator's half-close after its call from a gateway that may not have the call. */
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

/** A peer that tells its role of pings. */
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
 * @param fault makes the fault anew for each run, for the options of a scenario
 * @param options the options that it has instead
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
