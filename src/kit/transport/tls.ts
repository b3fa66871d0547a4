/** TLS to a target: the trusted certificates, and the error for a certificate that is not trusted. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { WireproofError } from '../base/index.ts';

/** The trusted certificates. */
export interface TlsTrust {
  /** Certificates (PEM) of authorities, or of the target itself; absent: Node's authorities. */
  readonly ca?: string;
}

/** The longest time in which a connection is made, when the caller names none (ms). */
export const dialPatience = 10_000;

/** The fault of a certificate, by the error code of OpenSSL and Node. */
const faults: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not known here',
};

/** The environment error for a target that cannot be dialled. `place`: host:port, or a URL. */
export function dialError(place: string, cause: NodeJS.ErrnoException): WireproofError {
  const fault = faults[cause.code ?? ''];
  const why =
    fault === undefined
      ? `cannot connect to ${place}: ${cause.message}`
      : `cannot connect to ${place}: its certificate ${fault}; give that certificate, or its authority's, with --ca FILE (target.ca in the statement)`;
  return new WireproofError('environment', why, { cause });
}

/** Starts a connection; `protocols` are offered to the other side (ALPN, RFC 7301). */
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
