/** The registry: one line a protocol. */
export { agent } from './agent/protocol.ts';
export { fold } from './fold/protocol.ts';
export { koda } from './koda/protocol.ts';
export { llm } from './llm/protocol.ts';
export { sep } from './sep/protocol.ts';
export { tokens } from './tokens/protocol.ts';
export { toon } from './toon/protocol.ts';
