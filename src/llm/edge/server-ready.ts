/** Waits for a model server that listens already and still loads its model. */
import type { Metadata } from '../../kit/base/index.ts';
import type { Dial } from '../../kit/world/index.ts';

/** The time between two requests (ms). */
const pause = 250;

/** How long an answer may take before the kit goes on without it (ms). */
const longest = 5000;

const ignore = (): void => {};

/** The status of the answer to a GET; undefined without an answer. */
const statusOf = (dial: Dial, path: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const metadata: Metadata = { ':carrier': 'http', ':method': 'GET', ':path': path };
    let status: string | undefined;
    const end = (): void => {
      clearTimeout(timer);
      resolve(status);
    };
    const link = dial(
      { metadata },
      {
        headers: (headers) => void (status = headers[':status']),
        message: ignore,
        halfClose: ignore,
        ended: end,
        drained: ignore,
        ping: ignore,
      },
    );
    link.halfClose();
    const timer = setTimeout(() => {
      link.close({ code: 1, message: 'no answer' });
      end();
    }, longest);
  });

/** How long to wait, and until when. */
export interface Waiting {
  /** The longest time (ms). */
  readonly patience: number;
  readonly signal: AbortSignal;
}

/**
 * Waits while a server answers 503 to a request for its list of models, as llama-server does while it loads the model. Any
 * other answer ends the wait, and so does a connection that is lost.
 *
 * @param path - the path of the list
 * @returns a note for the report; undefined when the server was loaded
 */
export async function untilLoaded(
  dial: Dial,
  path: string,
  { patience, signal }: Waiting,
): Promise<string | undefined> {
  const began = Date.now();
  let loading = false;
  while ((await statusOf(dial, path)) === '503') {
    loading = true;
    if (signal.aborted || Date.now() - began > patience) break;
    await new Promise((resolve) => void setTimeout(resolve, pause));
  }
  return loading
    ? `the server answered 503 at ${path} for ${((Date.now() - began) / 1000).toFixed(1)} s, as one that loads its model; the kit waited`
    : undefined;
}
