/** The rejection of a client's promise. */

/** The reason of a rejected promise. @throws Error when it resolved */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection; came ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason,
  );
}
