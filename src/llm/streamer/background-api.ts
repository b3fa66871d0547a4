/** How each API with responses in the background names their parts: OpenAI's Responses, and Gemini's Interactions. */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { geminiInteractions } from '../dialects/gemini-interactions/index.ts';
import { openaiResponses } from '../dialects/openai-responses/index.ts';
import { backgroundStatus } from '../dialects/openai-responses/status.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import type { ResponseWrite } from '../dialects/shared/units.ts';

/** An event, in the writes that carry it. */
export interface KeptEvent {
  readonly id: string;
  readonly writes: readonly ResponseWrite[];
}

/** One API. */
export interface BackgroundApi {
  readonly dialect: Dialect;
  /** The part of the path before the id of a response. */
  readonly room: string;
  /** The query that names the event behind which a client reads on. */
  readonly after: string;
  /** The id of an event. */
  readonly idOf: (event: JsonObject) => string;
  /** The response object in an event. */
  readonly objectIn: (event: JsonObject) => JsonObject | undefined;
  readonly isLast: (event: JsonObject) => boolean;
  /** The number of kept events before those behind this one; undefined: there is no such event. */
  readonly skipped: (events: readonly KeptEvent[], after: string) => number | undefined;
  /** The object of a response that has not begun. */
  readonly begun: (object: JsonObject) => JsonObject;
  readonly cancelled: (object: JsonObject) => JsonObject;
  /** Why a response that is not stored is refused. */
  readonly unstored: string;
}

const member = (event: JsonObject, name: string): JsonObject | undefined => {
  const value = event[name];
  return isObject(value) ? value : undefined;
};

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const lastResponse = /^response\.(completed|incomplete|failed)$/;

const responses: BackgroundApi = {
  dialect: openaiResponses,
  room: 'responses',
  after: 'starting_after',
  idOf: ({ sequence_number: number = null }) => JSON.stringify(number),
  objectIn(event) {
    const object = member(event, 'response');
    return object && { ...object, background: true };
  },
  isLast: ({ type }) => lastResponse.test(text(type)),
  skipped: (events, after) => events.filter(({ id }) => Number(id) <= Number(after)).length,
  begun: (object) => ({ ...object, status: backgroundStatus.queued }),
  cancelled: (object) => ({ ...object, status: backgroundStatus.cancelled }),
  unstored: 'Background mode requires store to be true.',
};

const interactions: BackgroundApi = {
  dialect: geminiInteractions,
  room: 'interactions',
  after: 'last_event_id',
  idOf: ({ event_id: id }) => text(id),
  objectIn: (event) => member(event, 'interaction'),
  isLast: ({ event_type: type }) => type === 'interaction.completed' || type === 'error',
  skipped(events, after) {
    const at = events.findIndex(({ id }) => id === after);
    return at < 0 ? undefined : at + 1;
  },
  begun: (object) => object,
  cancelled: (object) => ({ ...object, status: 'cancelled' }),
  unstored: 'background requires store to be true.',
};

export const backgroundApis: readonly BackgroundApi[] = [responses, interactions];

/** The API of a dialect with responses in the background. */
export const backgroundApiOf = (dialect: string): BackgroundApi | undefined =>
  backgroundApis.find((api) => api.dialect.name === dialect);
