/** A turn of the client, with its requests and the provider's account of each answer. */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import type { Exchange } from './exchange.ts';

/** A turn: the request of the kit to the testee. */
export interface TurnRequest extends Moment {
  readonly id: Json;
  readonly dialect: string;
  /** The line itself. */
  readonly line: JsonObject;
  /** The scenario's facts about the turn. */
  readonly about: JsonObject;
  /** Its requests, in order. When there are too many, only the first are kept. */
  readonly exchanges: Exchange[];
  requests: number;
  /** The time of its answer (ms). */
  answered: number | undefined;
  /** Whether the target is a whole program, which starts its turn itself. */
  readonly program: boolean;
  /** Whether the testee read the same answer right before, in other pieces, or one of its form with one call. */
  readonly readBefore: boolean;
}
