/** What an answer that is over shows about the requirements: a fact for each that it put to the test. */

import type { Comparison } from '../../../src/kit/base/index.ts';

/** A requirement that was put to the test. With a message it was violated. */
export interface GatewayFact {
  readonly row: string;
  /** What was expected, and what came. */
  readonly message?: string;
  /** The two messages that differ. */
  readonly comparison?: Comparison;
}

/** The requirement was put to the test, and kept. */
export const kept = (row: string): GatewayFact => ({ row });

/** The requirement was violated. */
export const broken = (row: string, message: string): GatewayFact => ({ row, message });

/** A fact: kept, or violated with what was expected and what came. */
export const held = (row: string, isKept: boolean, message: () => string): GatewayFact =>
  isKept ? kept(row) : broken(row, message());

/** A text for a message: its beginning, quoted. */
export function quoted(text: string, most = 80): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return JSON.stringify(cut);
}
