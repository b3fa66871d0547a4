/** Starts a target's program, and tells it where the kit is, or where to listen: in its command and its environment. */
import type { TargetPlan } from '../suite/index.ts';
import { startProcess } from '../transport/index.ts';
import type { ProcessOptions, TargetProcess } from '../transport/index.ts';

/** The values of placeholders by name: `address` is that of `{address}`, and of `WIREPROOF_ADDRESS`. */
export type Placeholders = { readonly [name: string]: string };

/** What is started, and what it is told. */
export interface ProgramOptions extends Pick<ProcessOptions, 'onExit' | 'carry'> {
  readonly target: Extract<TargetPlan, { readonly kind: 'command' }>;
  readonly places: Placeholders;
  /** Further variables of its environment. */
  readonly environment?: Placeholders;
}

/** Starts a program. @throws WireproofError 'environment' when it cannot be started */
export function startProgram(options: ProgramOptions): Promise<TargetProcess> {
  const { target, places, environment, ...more } = options;
  const variables: Placeholders = Object.fromEntries(
    Object.entries(places).map(([name, value]) => [`WIREPROOF_${name.toUpperCase()}`, value]),
  );
  return startProcess({
    command: target.command.map((arg) =>
      arg.replace(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole),
    ),
    env: { ...variables, ...environment, ...target.env },
    ...more,
  });
}
