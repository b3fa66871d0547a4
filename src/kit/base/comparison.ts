/** The two messages of a violation side by side: the one that the target got, and the one that it made of it. */

/** One of the two messages, in parts that can be compared. */
export interface ComparedSide {
  /** Who said it, or heard it. */
  readonly label: string;
  /** The parts of the message as short texts, by their names. A part that the message lacks is absent. */
  readonly parts: { readonly [name: string]: string };
}

/** What one side of the target said, and what the other side heard: the wires above and below the target. */
export interface Comparison {
  /** The name of the part that differs. */
  readonly field: string;
  /** The side from which the message came. */
  readonly from: 'above' | 'below';
  readonly above: ComparedSide;
  readonly below: ComparedSide;
  /** The lawful values of the part; absent: the value of the first side. */
  readonly due?: readonly string[];
  /** The document that lists the lawful values. */
  readonly source?: string;
}
