/** A host and a port: reads the addresses that people write, and writes them. */

/** A host without brackets, and a port from 0 to 65535. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** The scheme of a URL, and its part with the host and the port. */
const urlForm = /^(?:\w+:\/\/)?([^/?#]*)/;

/** A host and a port, or only a port. */
const addressForm = /^(?:(\[[\da-f:.]+(?:%[^\]\s]+)?\]|[^\s[\]]+):)?(\d{1,5})$/i;

/**
 * Reads `host:port` or a port alone, as it is or in a URL. An IPv6 address is in brackets; without them, its last part
 * is the port. A port alone is on this machine.
 *
 * @param usualPort - the port of a text that names none; absent: such a text is refused
 * @returns undefined when the text is no address, or its port is above 65535
 *
 * @example
 * hostPortOf('[::1]:50051'); // { host: '::1', port: 50051 }
 * hostPortOf('8080'); // { host: '127.0.0.1', port: 8080 }
 * hostPortOf('wss://agents.example/toon', 443); // { host: 'agents.example', port: 443 }
 * hostPortOf('localhost'); // undefined
 */
export function hostPortOf(text: string, usualPort?: number): HostPort | undefined {
  const [, written = ''] = urlForm.exec(text) ?? [];
  const whole =
    usualPort === undefined || written === '' || /:\d+$/.test(written) ? written : `${written}:${usualPort}`;
  const [, host = '127.0.0.1', port] = addressForm.exec(whole) ?? [];
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  // The last part of an IPv6 address without brackets is taken for the port. A rest such as `fe80:` shows that it is not a port.
  const isCut = bare.endsWith(':') && bare !== '::';
  return port === undefined || Number(port) > 65_535 || isCut
    ? undefined
    : { host: bare, port: Number(port) };
}

/**
 * Writes an address. An IPv6 address gets brackets, unless it has them.
 *
 * @example
 * addressText({ host: '::1', port: 50051 }); // '[::1]:50051'
 */
export const addressText = ({ host, port }: HostPort): string =>
  `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
