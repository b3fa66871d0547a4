/** What was thrown, in words. Anything can be thrown. */

/** The message of an error; of another value, its text. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'a value that has no text';
  }
}
