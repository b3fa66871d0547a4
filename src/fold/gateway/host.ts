/** What a host needs to run the reference gateway: codecs by stream, and a ledger behind its effects. */
import { isObject } from '../../kit/base/index.ts';
import type { Codec, Metadata } from '../../kit/base/index.ts';
import { runLedger } from './ledger.ts';
import type { Ledger, LedgerEffect } from './ledger.ts';
import { wireOf } from '../stream-codecs.ts';
import type { GatewayIn, GatewayOut } from '../stream-codecs.ts';

/** The two codecs of a stream to a gateway, from the gateway's side. */
export interface GatewayCodecs {
  readonly receives: Codec<GatewayIn>;
  readonly sends: Codec<GatewayOut>;
}

/** The codecs of a stream by its metadata: its `:path` says what is spoken on it. */
export const gatewayCodecs = (metadata: Metadata): GatewayCodecs => {
  const { calls, answers } = wireOf(metadata[':path']);
  return { receives: calls, sends: answers };
};

const isLedgerEffect = (effect: unknown): effect is LedgerEffect => isObject(effect) && 'ledger' in effect;

/**
 * Runs the gateway's effects on a ledger. One that fails answers `{error}`: the gateway says so, and goes on.
 *
 * @example
 * const run = ledgerEffects(memoryLedger());
 * run({ ledger: 'thread', thread_id: 't' }); // []
 */
export const ledgerEffects =
  (ledger: Ledger): ((effect: unknown) => unknown) =>
  (effect) => {
    if (!isLedgerEffect(effect)) return undefined;
    try {
      return runLedger(ledger, effect);
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
