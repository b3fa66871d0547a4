/**
 * A provider that reports when it can write no more: after its carrier has been full for a while, with the bytes that it has
 * written. A gateway that does not read holds it back.
 */
import type { PeerCommand, RoleOutput } from '../../../src/kit/base/index.ts';
import type { RoleFault } from '../../../src/kit/suite/index.ts';
import type { Asked, Sent } from '../../../src/llm/index.ts';

/** For how long a carrier that is held back is full (ms). A shorter time would only report less than can be written. */
const fullFor = 500;

/**
 * Reports `stalled` when an exchange cannot go on, and `flushed` when its answer is written. Both have the bytes that have left
 * the provider: those before the latest time that its carrier had room.
 */
export function reportsStalls<S>(): RoleFault<S, Asked, Sent, PeerCommand<Sent>> {
  const written = new Map<string, number>();
  const flushed = new Map<string, number>();
  /** The exchanges that are full, each with the number of its times. */
  const full = new Map<string, number>();
  let times = 0;
  const report = (what: string, exchange: string): RoleOutput<Sent> => {
    const bytes = (full.has(exchange) ? flushed : written).get(exchange) ?? 0;
    return { type: 'tell', what, detail: JSON.stringify({ exchange, bytes }) };
  };
  return {
    input(input, context) {
      if (input.type === 'drained') flushed.set(input.peer, written.get(input.peer) ?? 0);
      if (input.type === 'drained' || input.type === 'left') full.delete(input.peer);
      if (input.type !== 'full' || full.has(input.peer)) return [input];
      const { peer } = input;
      const now = ++times;
      full.set(peer, now);
      context.later(fullFor, (then) => {
        if (full.get(peer) === now) then.put(report('stalled', peer));
      });
      return [input];
    },
    output(output) {
      if (output.type === 'close') return [output, report('flushed', output.peer)];
      if (output.type === 'send')
        written.set(output.peer, (written.get(output.peer) ?? 0) + output.message.bytes().length);
      return [output];
    },
  };
}
