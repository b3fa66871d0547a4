/** What to write when a program that should dial the kit was not told where. */
import type { TargetPlan } from '../suite/index.ts';

/** The end of a sentence about a target that did not dial; empty: its command has the address. */
export const addressHint = (target: TargetPlan): string =>
  target.kind !== 'command' || target.command.some((argument) => /\{(?:address|port|url)\}/u.test(argument))
    ? ''
    : '; its command has no {address}, which is where it must dial (also in WIREPROOF_ADDRESS)';
