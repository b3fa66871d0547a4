/** What is kept of a response in the background. */
import type { JsonObject } from '../../kit/base/index.ts';
import type { ResponseWrite } from '../dialects/shared/units.ts';

/** A response in the background. */
export interface BackgroundResponse {
  /** Its events so far, in the writes that carry them, with the number of each. */
  readonly events: { readonly number: number; readonly writes: readonly ResponseWrite[] }[];
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
