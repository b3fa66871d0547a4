/** How a mutant gateway is made: the reference gateway with one fault. */
import { allFaults } from '../../../../src/kit/suite/index.ts';
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { Faults, MakePeer, Mutant } from '../../../../src/kit/suite/index.ts';
import { gateway } from '../../../../src/fold/index.ts';
import type { GatewayOptions } from '../../../../src/fold/index.ts';
import { gatewayOptions, hostedGateway } from '../target.ts';
import { kindOf } from './faults.ts';
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

/** Makes a fault for each run, from the options of the scenario. */
type MakeFault = (options: Partial<GatewayOptions>) => GatewayFault;

/** A fault of a gateway whose options are edited. */
interface OptionedFault {
  readonly fault: MakeFault;
  readonly options: (given: Partial<GatewayOptions>) => Partial<GatewayOptions>;
}

/** Faults by the ids of their mutants. */
export type GatewayFaults = Faults<MakeFault | OptionedFault>;

/** Makes the reference gateway with a fault. */
export const gatewayWith =
  (of: MakeFault | OptionedFault): Mutant['make'] =>
  (reference) => {
    const given = gatewayOptions(reference);
    const { fault, options } = typeof of === 'function' ? { fault: of, options: () => given } : of;
    const faulty = intercepted(gateway(options(given)), () => {
      const own = fault(given);
      return { ...own, ...allFaults(hostFault(own), own) };
    });
    return hearingPings(hostedGateway(faulty));
  };
