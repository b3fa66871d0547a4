/** TLS towards a target: whom the kit trusts, and what it says of a certificate that it does not trust. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { WireproofError } from '../base/index.ts';

/** Which certificates are trusted. */
export interface TlsTrust {
  /** Certificates (PEM) of authorities, or the target's own; absent: the authorities that Node knows. */
  readonly ca?: string;
}

/** What is wrong with a certificate, by the code that OpenSSL and Node give it. */
const faults: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not known here',
};

/** Why a target cannot be dialled, as an error of the environment. `place`: host:port, or a URL. */
export function dialError(place: string, cause: NodeJS.ErrnoException): WireproofError {
  const fault = faults[cause.code ?? ''];
  const why =
    fault === undefined
      ? `cannot connect to ${place}: ${cause.message}`
      : `cannot connect to ${place}: its certificate ${fault}; give that certificate, or its authority's, with --ca FILE (target.ca in the statement)`;
  return new WireproofError('environment', why, { cause });
}

/** Begins a connection. `protocols`: those that are offered for it (ALPN, RFC 7301). */
export const connectTls = (
  { host, port, ca }: TlsTrust & { readonly host: string; readonly port: number },
  protocols: readonly string[] = [],
): TLSSocket =>
  connect({
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(protocols.length === 0 ? {} : { ALPNProtocols: [...protocols] }),
  });
