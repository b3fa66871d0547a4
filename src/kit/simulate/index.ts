/**
 * Live sessions between a simulated peer and another program. The kit has the flags, traffic lines, JSON, traces, live
 * violations, orders, scenarios and ends. A protocol adds its servers, its event texts and its orders.
 */
export { visible } from '../report/index.ts';
export { awaitPort, dialGrpc, dialHttp } from '../transport/index.ts';
export { playOnCarrier } from './carrier.ts';
export type { CarrierPeer } from './carrier.ts';
export { Flags } from './flags.ts';
export { hasPerson, inputText, isTerminal } from './input.ts';
export { OrderLoop, splitWord } from './orders.ts';
export type { NamesOf, Order } from './orders.ts';
export { runProgram } from './program.ts';
export { playScenario, scenarioOf } from './scenario.ts';
export { LiveSession } from './session.ts';
export type { EventText, LiveTrace, SessionOptions } from './session.ts';
