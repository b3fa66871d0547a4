/** The set-up of a gateway. */
import type { Json, Metadata } from '../../kit/base/index.ts';
import type { Random } from '../../kit/world/index.ts';
import type { ErrorResponse } from '../dialects/shared/dialect.ts';
import type { ProviderError, Unit, Variants } from '../messages.ts';
import type { AnswerPiece } from './answer/piece.ts';
import type { FullRequest } from './request/request.ts';
import type { GatewayRoute } from './route.ts';

/** The set-up of a gateway. */
export interface GatewayOptions {
  readonly routes: readonly GatewayRoute[];
  readonly random: (label: string) => Random;
  /** Unix ms at 0 of the host's clock; default 0. */
  readonly epoch?: number;
  /** Further attempts of a request whose answer has not begun, each after half a second or what the provider says; default 0. */
  readonly retries?: number;
  /** The longest silence of a provider (ms); default 60 s. */
  readonly idle?: number;
  /** The largest body of a request, and of an answer that is not streamed (bytes); default 32 MiB. */
  readonly largest?: { readonly request?: number; readonly answer?: number };
  /** Replaced parts, for gateways that are wrong, or odd, in one way. */
  readonly parts?: GatewayParts;
}

/** What an exchange is about. */
export interface ExchangeOptions {
  /** The client's link. */
  readonly peer: string;
  readonly route: GatewayRoute;
  readonly request: FullRequest;
  /** The client's header fields. */
  readonly headers: Metadata;
  readonly gateway: GatewayOptions;
  /** Unix ms. */
  readonly now: number;
  readonly id: (prefix: string) => string;
}

/** What the parts of a gateway know of an exchange. */
export interface PartContext {
  readonly route: GatewayRoute;
  /** Whether the client asked for a stream. */
  readonly stream: boolean;
  /** The client's header fields. */
  readonly client: Metadata;
}

/** A failure below, and what was tried until then. */
export interface FailedAttempt {
  readonly error: ProviderError;
  /** Whether the client has heard a piece. */
  readonly begun: boolean;
  /** The number of attempts so far. */
  readonly attempts: number;
  /** The number of attempts that the first provider gets. */
  readonly most: number;
  /** Whether there is a second provider. */
  readonly hasFallback: boolean;
}

/** Whom a gateway asks after a failure. */
export type NextAttempt = 'same' | 'fallback' | undefined;

/** The parts of a gateway that can be replaced. Each is made anew for an exchange. */
export interface GatewayParts {
  /** Changes the request between reading and writing. */
  readonly request?: (request: FullRequest, context: PartContext) => FullRequest;
  /** Changes the body of the request to the provider. */
  readonly asked?: (body: Json, context: PartContext) => Json;
  /** Changes the bytes of a provider's answer before they are read. */
  readonly bytes?: (context: PartContext) => (chunk: Uint8Array) => Uint8Array;
  /** Changes the pieces of an answer between reading and writing. */
  readonly pieces?: (context: PartContext) => (piece: AnswerPiece) => readonly AnswerPiece[];
  /** Changes the units of a stream after writing. */
  readonly units?: (context: PartContext) => (unit: Unit) => readonly Unit[];
  /** Changes a body after writing. */
  readonly body?: (context: PartContext) => (body: Json) => Json;
  /** Changes the refusal that a client gets. */
  readonly refused?: (refusal: ErrorResponse, error: ProviderError, context: PartContext) => ErrorResponse;
  /** Whether the end of a stream without a terminal is its end; `silent`: the client is not told. */
  readonly endless?: (context: PartContext) => 'good' | 'silent' | undefined;
  /** Changes the header fields of an answer. */
  readonly head?: (fields: Metadata, context: PartContext) => Metadata;
  /** Changes the header fields of the request to the provider. */
  readonly fields?: (fields: Metadata, context: PartContext) => Metadata;
  /** Cuts or changes the bytes of a unit. */
  readonly framed?: (context: PartContext) => (bytes: Uint8Array, unit: Unit) => readonly Uint8Array[];
  /** How answers are written; default: as the API of the dialect writes them. */
  readonly variants?: Variants;
  /** What opens a stream before the provider has answered; default: nothing does. */
  readonly greeting?: Unit;
  /** For how long (ms) the units of a stream wait, to be written together; default 0. */
  readonly delay?: number;
  /** Whether the provider is asked for a stream where the client wants a body. */
  readonly streamsBelow?: boolean;
  /** Whether a stream that fails breaks off; default: it ends with an error of the dialect. */
  readonly breaksOff?: boolean;
  /** Whether the units of a stream wait for its end. */
  readonly holds?: boolean;
  /** Whether the provider goes on when the client has left. */
  readonly goesOn?: (context: PartContext, hasBegun: boolean) => boolean;
  /** Whose dialect answers have; default the client's. */
  readonly form?: 'provider';
  /** The number of requests at once for one of a client; default 1. */
  readonly times?: number;
  /** Whom it asks after a failure; default: who may help (failure.ts). */
  readonly next?: (failed: FailedAttempt) => NextAttempt;
  /** Whether it asks again when the client has left. */
  readonly asksUnheard?: boolean;
  /** Whether it waits for a silent provider without an end. */
  readonly waitsForever?: boolean;
  /** Whether an answer in the client's dialect is read and written again; default: its units pass as they came. */
  readonly rewrites?: boolean;
}

/** Whether units may pass as they came: no part changes how they are written. */
export const relays = ({ rewrites, variants }: GatewayParts): boolean =>
  rewrites !== true && variants === undefined;

/** Whether a part works on the pieces of an answer, or ends it itself. */
export const edits = ({ pieces, endless }: GatewayParts): boolean =>
  pieces !== undefined || endless !== undefined;
