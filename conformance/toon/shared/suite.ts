/**
 * What the live suites of TOON (Task Orchestration Over Node; not Token-Oriented Object Notation) share. A subagent or
 * an orchestrator meets the kit on TCP, on its own stdin and stdout, or on WebSocket.
 */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Feature, CarrierTargetKind, Suite } from '../../../src/kit/suite/index.ts';
import { directive, toonFraming } from '../../../src/toon/index.ts';
import { peers } from './peers.ts';
import { defaultTimeouts } from './view.ts';
import type { ToonView } from './view.ts';

const features: readonly Feature[] = [
  { name: 'compression', advertised: true, text: 'compresses payloads of more than 1024 bytes' },
  { name: 'tools', advertised: false, text: 'calls tools, or answers calls' },
  { name: 'context', advertised: false, text: 'asks for context, or gives it' },
];

/** How either role is met. */
export const carrierTarget: Pick<
  CarrierTargetKind<ToonView>,
  'kind' | 'carriers' | 'framing' | 'drive' | 'advertised'
> = {
  kind: 'meets',
  carriers: ['tcp', 'stdio', 'ws'],
  framing: toonFraming,
  drive: 'passive',
  advertised: (view) => (view.compresses ? ['compression'] : []),
};

/** Either suite, without what its role owns. */
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
  // How long a stranger waits for a dead peer is not known, and is not waited for, until a statement says it.
  timeouts: { ...defaultTimeouts, idle: 0, handshake: 5000, quiet: 300, late: 300 },
  simulatedTimeouts: { idle: defaultTimeouts.idle },
  unsupported,
  peers,
  conditionalRows: [
    {
      requirement: 'TOON-51',
      reason:
        'the kit does not know how long the target waits for a dead peer: say it with timeouts.idle in the statement',
      unless: (statement) => statement.timeouts?.['idle'] !== undefined,
    },
  ],
};

/** What a subagent says that it cannot do of a directive. */
function unsupported({ kind, data }: TraceEvent): string | undefined {
  if (kind !== 'message' || data['type'] !== 'ERROR') return undefined;
  const { message } = data['payload'] as { readonly message: string };
  return message.startsWith('unsupported: ') ? message.slice(0, 120) : undefined;
}
