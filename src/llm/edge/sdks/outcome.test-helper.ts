/** What a client's promise came to. */

/** What a promise was rejected with. @throws Error when it was fulfilled */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection; came ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason,
  );
}
