/**
 * Live sessions with strangers: what every simulated peer does alike. Flags, traffic lines, JSON, traces, live
 * violations, orders, scenarios and ends are the kit's; a protocol brings its servers, its words and its orders.
 */
export { visible } from '../report/index.ts';
export { dialGrpc } from '../transport/index.ts';
export { playOnCarrier } from './carrier.ts';
export type { CarrierPeer } from './carrier.ts';
export { Flags } from './flags.ts';
export type { HostPort } from './flags.ts';
export { OrderLoop, splitWord } from './orders.ts';
export type { NamesOf, Order } from './orders.ts';
export { runProgram } from './program.ts';
export { playScenario } from './scenario.ts';
export { LiveSession } from './session.ts';
export type { EventText, LiveTrace, SessionOptions } from './session.ts';
