/** Starts a target's program. Its command and its environment hold the kit's address, or the address to listen on. */
import type { TargetPlan } from '../suite/index.ts';
import { scratchFolder, startProcess } from '../transport/index.ts';
import type { ProcessOptions, TargetProcess } from '../transport/index.ts';

/** The values of placeholders by name: `address` is the value of `{address}` and of `WIREPROOF_ADDRESS`. */
export type Placeholders = { readonly [name: string]: string };

/** The host of the programs that the kit starts. */
export const loopback = '127.0.0.1';

/** The placeholders for a port of loopback. `scheme`: the scheme of its URL. */
export function placesOf(
  port: number,
  scheme: string,
): { readonly [name in 'address' | 'host' | 'port' | 'url']: string } {
  const address = `${loopback}:${port}`;
  return { address, host: loopback, port: String(port), url: `${scheme}://${address}` };
}

/** A program, its placeholders and its environment. */
export interface ProgramOptions extends Pick<ProcessOptions, 'onExit' | 'onOutput' | 'carry' | 'emptyStdin'> {
  readonly target: Extract<TargetPlan, { readonly kind: 'command' }>;
  readonly places?: Placeholders | undefined;
  /** The placeholders and environment variables of the kit's servers for it. */
  readonly sides?: { readonly places: Placeholders; readonly environment: Placeholders } | undefined;
}

/**
 * Starts a program, with a scratch folder of its own: `{tmp}` in its command and the stated environment, WIREPROOF_TMP in its environment.
 *
 * @throws WireproofError 'environment' when it cannot be started
 */
export async function startProgram(options: ProgramOptions): Promise<TargetProcess> {
  const tmp = scratchFolder();
  try {
    const { places, sides } = options;
    const program = await start({ ...options, places: { tmp: tmp.path, ...places, ...sides?.places } });
    return { ...program, stop: () => program.stop().finally(tmp.remove) };
  } catch (error) {
    tmp.remove();
    throw error;
  }
}

function start(options: ProgramOptions & { readonly places: Placeholders }): Promise<TargetProcess> {
  const { target, places, sides, ...more } = options;
  const variables: Placeholders = Object.fromEntries(
    Object.entries(places).map(([name, value]) => [`WIREPROOF_${name.toUpperCase()}`, value]),
  );
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole);
  const stated = Object.entries(target.env).map(([name, value]): [string, string] => [name, filled(value)]);
  return startProcess({
    command: target.command.map(filled),
    env: { ...variables, ...sides?.environment, ...Object.fromEntries(stated) },
    folder: target.folder,
    ...more,
  });
}
