/**
 * Clock, randomness and network as arguments, real and simulated, and the host that runs a role on them.
 */
export type { Clock, Timer } from './clock.ts';
export {
  credentialIn,
  hasCredentials,
  withoutCredentialVariables,
  withoutCredentials,
} from './credentials.ts';
export { framed } from './framing.ts';
export { Gathering } from './gather.ts';
export type { Framer, Framing } from './framing.ts';
export { Host } from './host.ts';
export type { HostOptions } from './host.ts';
export type { WireEvent } from './host-link.ts';
export { join } from './join.ts';
export { ignoredEvents, tooManyPings } from './link.ts';
export type { Accept, Dial, Fault, GoawayCode, Link, LinkEvents } from './link.ts';
export { Network } from './network.ts';
export type { NetworkOptions } from './network.ts';
export { PeerTrace, keepLatest } from './peer-trace.ts';
export type { PeerTraceOptions } from './peer-trace.ts';
export { Recorder } from './recorder.ts';
export { secretHeaders, withoutSecretArguments } from './secrets.ts';
export type { RecorderOptions, Secrets } from './recorder.ts';
export { hashSeed, seededRandom } from './random.ts';
export type { Random } from './random.ts';
export { freshSeed, realClock, secretRedactor } from './real.ts';
export { Slices } from './slices.ts';
export { VirtualClock } from './virtual.ts';
