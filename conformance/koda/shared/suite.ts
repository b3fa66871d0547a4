/** The shared part of the live suites of Koda. An engine or a client talks to the kit on stdin and stdout or a WebSocket. */
import { saysUnsupported } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { CarrierTargetKind, Suite } from '../../../src/kit/suite/index.ts';
import { lineFraming } from '../../../src/kit/testee/index.ts';
import { directive } from '../../../src/koda/index.ts';
import { fromTarget } from './topics.ts';
import { engineEvent } from './view.ts';
import { peers } from './peers.ts';
import { defaultTimeouts } from './view.ts';
import type { KodaView } from './view.ts';

/** How the kit reaches a target of either role. */
export const carrierTarget: Pick<
  CarrierTargetKind<KodaView>,
  'kind' | 'carriers' | 'framing' | 'messages'
> = {
  kind: 'meets',
  carriers: ['stdio', 'ws'],
  framing: lineFraming,
  messages: 'text',
};

/** The part of a suite that does not depend on the role. */
export const sharedSuite: Pick<
  Suite<KodaView>,
  'protocol' | 'forms' | 'secrets' | 'timeouts' | 'unsupported' | 'peers'
> = {
  protocol: 'koda',
  forms: { $directive: (steps) => directive(Array.isArray(steps) ? steps : [steps]) },
  secrets: { metadata: ['authorization'], fields: [], may: () => false },
  timeouts: { ...defaultTimeouts, handshake: 5000, step: 10_000, next: 3000, quiet: 300, late: 300 },
  unsupported,
  peers,
};

/** The reason of a turn_end that says that the engine does not support a step. */
function unsupported(event: TraceEvent): string | undefined {
  if (event.kind !== 'message' || !fromTarget(event)) return undefined;
  const message = engineEvent(event);
  if (message.type !== 'turn_end' || message.reason.kind !== 'error') return undefined;
  const { message: why } = message.reason;
  return saysUnsupported(why) ? why.slice(0, 120) : undefined;
}
