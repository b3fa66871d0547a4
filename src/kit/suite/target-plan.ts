/** How a target is had: started by the kit, started by hand, or running already. */
import type { Carrier } from './carrier.ts';

/** How the target is reached. */
export type TargetPlan = {
  /** What carries the messages, where the suite leaves a choice. */
  readonly carrier?: Carrier;
} & (
  | {
      /** Started by the kit, which fills `{address}`, `{listen}` and the like in. */
      readonly kind: 'command';
      readonly command: readonly string[];
      readonly env: { readonly [name: string]: string };
    }
  /** Started by hand; the kit waits at `host:port`. `advertise` is what a target in a container dials. */
  | { readonly kind: 'listen'; readonly host: string; readonly port: number; readonly advertise?: string }
  /** Running already; the kit dials it. `url` is its operator's face, where that is elsewhere. */
  | { readonly kind: 'connect'; readonly host: string; readonly port: number; readonly url?: string }
);

/** Whether a command says where the target is to listen: then the kit dials it, and is dialled by it otherwise. */
export const listensItself = (command: readonly string[]): boolean =>
  command.some((arg) => arg.includes('{listen}'));
