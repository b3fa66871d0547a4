/** The reference gateway on a real port. Not part of `wireproof/llm/simulate`, which stays light. */
export { serveGateway } from './serve.ts';
export type { ServedGateway, ServeGatewayOptions } from './serve.ts';
