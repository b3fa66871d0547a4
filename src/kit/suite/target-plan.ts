/** How the kit reaches a target: it starts the target, waits for it, or dials it. */
import type { HostPort } from '../base/index.ts';
import type { Carrier } from './carrier.ts';

/** How the target is reached. */
export type TargetPlan = {
  /** The carrier of the messages, for suites with several carriers. */
  readonly carrier?: Carrier;
  /** Certificates (PEM) that the kit trusts when it dials over TLS; absent: the authorities that Node knows. */
  readonly ca?: string;
  /** The bearer token that the kit sends when it dials. */
  readonly token?: string;
  /**
   * Where the kit's HTTP servers for the target listen, by their variables, such as `llm_url`; absent: on a free port of
   * loopback. A target that the kit does not start finds them only at stated places.
   */
  readonly sideServers?: { readonly [variable: string]: HostPort };
} & (
  | {
      /** Started by the kit, which fills in `{address}`, `{listen}` and the like. */
      readonly kind: 'command';
      readonly command: readonly string[];
      readonly env: { readonly [name: string]: string };
      /** The folder in which it runs; absent: the folder of this process. */
      readonly folder?: string;
    }
  /** Started by hand; the kit waits at `host:port`. `advertise` is what a target in a container dials. */
  | { readonly kind: 'listen'; readonly host: string; readonly port: number; readonly advertise?: string }
  | {
      /** Running already; the kit dials it. */
      readonly kind: 'connect';
      readonly host: string;
      readonly port: number;
      /** Whether it is dialled over TLS. */
      readonly tls?: boolean;
      /** The URL of its HTTP interface or its WebSocket, when host and port are not enough. */
      readonly url?: string;
    }
);

/** Whether a command has the placeholder `{listen}`. Then the kit dials the target; else the target dials the kit. */
export const listensItself = (command: readonly string[]): boolean =>
  command.some((arg) => arg.includes('{listen}'));
