/**
 * The shared part of the live suites of TOON (Task Orchestration Over Node; not Token-Oriented Object Notation). A
 * subagent or an orchestrator talks to the kit over TCP, over its own stdin and stdout, or over WebSocket.
 */
import { saysUnsupported } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Feature, CarrierTargetKind, Suite } from '../../../src/kit/suite/index.ts';
import { directive } from '../../../src/toon/index.ts';
import { targetFraming } from './framing.ts';
import { peers } from './peers.ts';
import { defaultTimeouts } from './view.ts';
import type { ToonView } from './view.ts';

const features: readonly Feature[] = [
  { name: 'compression', advertised: true, text: 'compresses payloads of more than 1024 bytes' },
  { name: 'tools', advertised: false, text: 'calls tools, or answers calls' },
  { name: 'context', advertised: false, text: 'asks for context, or gives it' },
];

/** How the kit reaches a target of either role. */
export const carrierTarget: Pick<
  CarrierTargetKind<ToonView>,
  'kind' | 'carriers' | 'framing' | 'drive' | 'mayLeave' | 'advertised'
> = {
  kind: 'meets',
  carriers: ['tcp', 'stdio', 'ws'],
  framing: targetFraming,
  drive: 'passive',
  mayLeave: ({ streams }) => [...streams.values()].every(({ left, disturbed }) => left && !disturbed),
  advertised: (view) => (view.compresses ? ['compression'] : []),
};

/** The part of a suite that does not depend on the role. */
export const sharedSuite: Pick<
  Suite<ToonView>,
  | 'protocol'
  | 'forms'
  | 'features'
  | 'secrets'
  | 'timeouts'
  | 'simulatedTimeouts'
  | 'unsupported'
  | 'peers'
  | 'conditionalRows'
> = {
  protocol: 'toon',
  forms: { $directive: (steps) => directive(Array.isArray(steps) ? steps : [steps]) },
  features,
  secrets: { metadata: ['authorization'], fields: [], may: () => false },
  // A target's limit for a silent peer is unknown. The kit only waits for it when a statement gives it.
  timeouts: { ...defaultTimeouts, idle: 0, handshake: 5000, quiet: 300, late: 300 },
  simulatedTimeouts: { idle: defaultTimeouts.idle },
  unsupported,
  peers,
  conditionalRows: [
    {
      requirement: 'TOON-51',
      reason:
        'the kit does not know how long the target waits for a dead peer: give timeouts.idle in the statement',
      unless: (statement) => statement.timeouts?.['idle'] !== undefined,
    },
  ],
};

/** The text of a subagent's ERROR about an unsupported directive. */
function unsupported({ kind, data }: TraceEvent): string | undefined {
  if (kind !== 'message' || data['type'] !== 'ERROR') return undefined;
  const { message } = data['payload'] as { readonly message: string };
  return saysUnsupported(message) ? message.slice(0, 120) : undefined;
}
