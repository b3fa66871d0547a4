/** The messages of Sample (spec/sample/README.md, "Messages"). */

/** A ping, or the pong that answers it. */
export interface SampleMessage {
  readonly type: 'ping' | 'pong';
  /** An integer from 0 on; a pong has the id of its ping. */
  readonly id: number;
}

/** Whether a value is a message. */
export function isSampleMessage(value: unknown): value is SampleMessage {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('id' in value)) return false;
  const { type, id } = value;
  return (
    (type === 'ping' || type === 'pong') && typeof id === 'number' && Number.isSafeInteger(id) && id >= 0
  );
}
