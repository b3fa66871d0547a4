/** Where the kit's servers that a target asks listen: a target that the kit does not start finds them at stated places only. */
import { didYouMean, hostPortOf, WireproofError } from '../../src/kit/base/index.ts';
import type { HostPort } from '../../src/kit/base/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';

/** Places by their variables, such as `llm_url`. */
export type SidePlaces = { readonly [variable: string]: HostPort };

/**
 * The places of `--serve`, and those of the statement.
 *
 * @param flags - each `llm_url=host:port`
 * @throws WireproofError 'usage' for a variable that the suite does not have, and for no host:port
 */
export function sidePlaces(
  suite: Pick<Suite, 'id' | 'sideServers'>,
  flags: readonly string[],
  stated: { readonly [variable: string]: string } = {},
): SidePlaces {
  const said = flags.map((flag): readonly [string, string, string] => {
    const [variable = '', ...place] = flag.split('=');
    return [variable, place.join('='), `--serve ${flag}`];
  });
  const written = Object.entries(stated).map(([variable, place]) => [variable, place, `serve: ${variable}`]);
  const known = (suite.sideServers ?? []).map(({ variable }) => variable);
  return Object.fromEntries(
    [...written, ...said].map(([variable = '', place = '', where = '']): [string, HostPort] => {
      if (!known.includes(variable)) throw usage(`${where}: ${unknown(suite.id, variable, known)}`);
      const found = hostPortOf(place);
      if (found === undefined)
        throw usage(`${where}: expected host:port, such as ${variable}=127.0.0.1:8090; came "${place}"`);
      return [variable, found];
    }),
  );
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

const unknown = (id: string, variable: string, known: readonly string[]): string =>
  known.length === 0
    ? `a target of ${id} asks no server of the kit`
    : `no server "${variable}"${didYouMean(variable, known)}; those of ${id} are ${known.join(', ')}`;
