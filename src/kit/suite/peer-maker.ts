/** Makes the simulated peers of a session, whose events go into its trace. */
import { WireproofError } from '../base/index.ts';
import type { Metadata, Scenario } from '../base/index.ts';
import type { Recorder } from '../world/index.ts';
import { fill } from '../scenario/index.ts';
import type { Peer } from './peer.ts';
import type { OpenedStream } from './session-peers.ts';
import { sidePeersOf } from './suite.ts';
import type { TargetSessionOptions } from './target-session-options.ts';

/** What a peer maker uses of its session. */
export interface PeerHost {
  readonly recorder: Recorder;
  /** The variables of scenarios. */
  readonly variables: { readonly [name: string]: unknown };
  /** Called when a peer opens a stream. */
  readonly opened: (peer: string, stream: OpenedStream) => void;
  /** Called before each event of a peer. */
  readonly before: () => void;
  /** Takes a peer's report on its own work. */
  readonly report: (peer: string, topic: string, detail: string) => void;
}

/** @throws WireproofError 'usage' for a role that the suite does not have */
export function makePeer<V>(
  name: string,
  { role, options }: Scenario['peers'][string],
  session: TargetSessionOptions<V>,
  { recorder, variables, opened, before, report }: PeerHost,
): Peer {
  const { suite, clock, dial, epoch } = session;
  const make = suite.peers[role];
  if (make === undefined)
    throw new WireproofError(
      'usage',
      `no role ${role} in ${suite.id}; there are ${Object.keys(suite.peers).join(', ')}`,
    );
  const wire = suite.wires?.[role] ?? suite.protocol;
  return make(fill(options, variables, suite.forms))({
    clock,
    ...(epoch === undefined ? {} : { epoch }),
    tap: (event) => {
      if (event.kind === 'open' && !event.incoming) opened(name, event);
      before();
      recorder.wire(name, event, wire);
    },
    credentials: (kind) => credentialsOf(name, kind, session, recorder),
    report: (topic, detail) => report(name, topic, detail),
    // A peer behind a server of the kit dials nobody.
    ...(dial === undefined || sidePeersOf(suite).has(name) ? {} : { dial: dial(name, role) }),
  });
}

/** The metadata with a peer's credentials, whose kind is marked in the trace. */
function credentialsOf<V>(
  peer: string,
  kind: string,
  { credentials }: TargetSessionOptions<V>,
  recorder: Recorder,
): Metadata {
  if (credentials === undefined) return {};
  recorder.mark({ credentials: kind, peer });
  return credentials.of(kind);
}
