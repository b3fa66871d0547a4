/** What is kept of a response in the background. */
import type { JsonObject } from '../../kit/base/index.ts';
import type { ResponseWrite } from '../dialects/shared/units.ts';
import type { BackgroundApi, KeptEvent } from './background-api.ts';

/** A response in the background. */
export interface BackgroundResponse {
  readonly api: BackgroundApi;
  /** Its events so far. */
  readonly events: KeptEvent[];
  /** The writes of an event that is not whole. */
  pieces: ResponseWrite[];
  /** The latest response object. Undefined before the first event. */
  response: JsonObject | undefined;
  /** Whether it was created as a stream, so that it can be read as one. */
  readonly streams: boolean;
  /** Whether the script lets the connection of the stream break before the last event. */
  readonly breaks: boolean;
  readonly over: () => boolean;
  /** The links of those who read its events. */
  readonly readers: Set<string>;
  /** The link of the request, if its answer is the response object at its beginning. */
  asker: string | undefined;
}
