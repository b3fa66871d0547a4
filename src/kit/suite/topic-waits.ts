/** Calls that wait for the next event of a topic. */

export class TopicWaits {
  readonly #waits = new Set<{ readonly topic: string; readonly call: () => void }>();

  /** Calls `call` once, at the next event of a topic. */
  add(topic: string, call: () => void): void {
    this.#waits.add({ topic, call });
  }

  /** Takes the topic of an event that has come. It is asked for only while something waits. */
  onEvent(topicOf: () => string | undefined): void {
    for (const waiting of this.#waits) {
      if (topicOf() !== waiting.topic) continue;
      this.#waits.delete(waiting);
      waiting.call();
    }
  }
}
