/** Keeps the body of an answer for a recording, as long as there is memory: an endless answer is passed on, and not kept. */
import { Bodies } from '../../../kit/transport/bodies.ts';
import { Pieces } from '../../../kit/transport/pieces.ts';
import { PieceLog } from './piece.ts';
import { recordedBody } from './recording.ts';
import type { RecordedExchange } from './recording.ts';

/** The largest answer that is kept (bytes). */
export const mostAnswer: number = 32 << 20;

/** The answers that are being kept. When they have too many bytes together, the largest is not kept. */
const memory = new Bodies(64 << 20);

/** The body of an answer as it comes. */
export interface KeptAnswer {
  push(chunk: Uint8Array): void;
  /** The whole body; undefined: it was too large. */
  end(): Pick<RecordedExchange, 'body' | 'base64' | 'pieces'> | undefined;
}

/** Begins to keep the answer to a request that was sent at this moment. */
export function keptAnswer(now: () => number = () => performance.now()): KeptAnswer {
  const log = new PieceLog(now());
  const pieces = new Pieces();
  let isDropped = false;
  const drop = (): void => {
    isDropped = true;
    pieces.drop();
    memory.done(body);
  };
  const body = { size: 0, refuse: drop };
  return {
    push(chunk) {
      if (isDropped) return;
      body.size += chunk.length;
      pieces.push(chunk);
      log.add(chunk.length, now());
      memory.grew(body, chunk.length);
      if (body.size > mostAnswer) drop();
    },
    end() {
      memory.done(body);
      return isDropped ? undefined : { ...recordedBody(pieces.take()), pieces: log.text() };
    },
  };
}
