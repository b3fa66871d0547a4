/**
 * Faces: further routes on which a script is played, in a form of their own. A face has the words of a dialect (its
 * consequences of a cut, the ids of its calls), and its own requests and responses.
 */
import type { Json, Result } from '../../../kit/base/index.ts';
import type { GivenWords } from '../../dialects/shared/body-reader.ts';
import type { Dialect, HeaderFields } from '../../dialects/shared/dialect.ts';
import type { LlmRequest, Refused, Renderer, Unit } from '../../messages.ts';

/** A dialect, or a face, as far as the streamer needs it. */
export interface Face extends Pick<
  Dialect,
  | 'paths'
  | 'pattern'
  | 'framing'
  | 'contentType'
  | 'renderer'
  | 'whole'
  | 'instead'
  | 'errorBody'
  | 'ping'
  | 'headers'
  | 'badBytes'
> {
  /** The name for reports and matches. */
  readonly name: string;
  /** Only requests with such a query. */
  readonly query?: RegExp;
  /** Reads a request: see {@link Dialect.readRequest}. */
  readonly readRequest: (
    body: Json,
    headers: HeaderFields,
    path: string,
    given: GivenWords,
  ) => Result<LlmRequest, Refused>;
}

/** The same renderer with other units; undefined leaves a unit out. */
export function mapUnits(renderer: Renderer, map: (unit: Unit) => Unit | undefined): Renderer {
  const all = (units: readonly Unit[]): readonly Unit[] =>
    units.flatMap((unit) => {
      const made = map(unit);
      return made === undefined ? [] : [made];
    });
  return {
    begin: () => all(renderer.begin()),
    open: (block) => all(renderer.open(block)),
    piece: (text, block) => all(renderer.piece(text, block)),
    close: (block) => all(renderer.close(block)),
    end: () => all(renderer.end()),
  };
}
