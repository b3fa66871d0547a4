/**
 * Gateways between model dialects: the reference, and the readers of requests and answers in full, which a judge needs, too.
 * Not part of `wireproof/llm`: most programs do not need it.
 */
export { AnswerGatherer } from './answer/answer.ts';
export type { AnsweredCall, AnsweredThought, NeutralAnswer } from './answer/answer.ts';
export { answerReader, refusalOf } from './answer/index.ts';
export type { AnswerPiece, AnswerReader, AnswerUnit } from './answer/piece.ts';
export { nextAttempt } from './failure.ts';
export { llmGateway } from './gateway.ts';
export type { GatewayRole, GatewayState } from './gateway.ts';
export type { FailedAttempt, GatewayOptions, GatewayParts, NextAttempt, PartContext } from './options.ts';
export { gatewayDialects } from './dialects.ts';
export type { GatewayRoute } from './route.ts';
export { gatewayWire } from './wire.ts';
export type { GatewayIn, GatewayOut } from './wire.ts';
export { readFullRequest, writeFullRequest } from './request/index.ts';
export type {
  Effort,
  FullRequest,
  GatewayDialect,
  Message as FullMessage,
  Part as FullPart,
  WriteOptions,
  WrittenRequest,
} from './request/request.ts';
