/** `wireproof simulate`: plays one side of a protocol against a real peer. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { kitFaults } from '../../src/kit/transport/index.ts';
import { exitCodes } from '../output/exit.ts';
import { onInterrupt } from '../output/interrupt.ts';
import { registry } from '../registry.ts';

/** Runs the verb. */
export async function simulate(
  name: string,
  command: readonly string[],
  flags: { readonly [name: string]: unknown },
): Promise<void> {
  const simulator = registry.simulators.find((peer) => peer.name === name);
  if (simulator === undefined) throw new WireproofError('internal', `simulate ${name}: no such peer`);
  if (command.length > 0 && simulator.command === undefined)
    throw new WireproofError(
      'usage',
      `simulate ${name} does not start a program; leave out ${command.join(' ')}`,
    );
  const abort = new AbortController();
  onInterrupt(abort, 'ending the session');
  const play = await simulator.load();
  const end = await play({ simulator, command, flags, process, interrupt: abort.signal });
  // A fault ended one exchange only, so that others had their answers.
  const failed = kitFaults() > 0;
  process.exitCode = failed ? exitCodes.internal : typeof end === 'number' ? end : exitCodes[end];
  // An open stdin would keep the process running.
  process.stdin.destroy();
}
