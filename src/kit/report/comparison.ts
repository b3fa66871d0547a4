/** The two messages of a violation side by side: the one that the target got, and the one that it made of it. */
import type { ComparedSide, Comparison } from '../base/index.ts';

/** A part of both messages; empty: a message lacks it. */
export interface ComparedPart {
  readonly name: string;
  readonly came: string;
  readonly became: string;
  readonly differs: boolean;
}

/** A comparison in the order in which the message went through the target. */
export interface ComparedMessages {
  /** Who sent the first message. */
  readonly came: string;
  /** Who got the second one. */
  readonly became: string;
  readonly parts: readonly ComparedPart[];
}

/** What stands for a part that a message lacks. */
export const absentPart = '(none)';

/** The two messages, part by part; the part that differs comes first. */
export function comparedMessages({ field, from, above, below }: Comparison): ComparedMessages {
  const [came, became] = from === 'above' ? [above, below] : [below, above];
  const others = Object.keys({ ...came.parts, ...became.parts }).filter((name) => name !== field);
  const textOf = ({ parts }: ComparedSide, name: string): string =>
    Object.hasOwn(parts, name) ? (parts[name] ?? '') : '';
  const parts = [field, ...others].map((name) => ({
    name,
    came: textOf(came, name),
    became: textOf(became, name),
    differs: name === field,
  }));
  return { came: came.label, became: became.label, parts };
}

/** A label, and a text behind it. */
export type LabelledText = readonly [label: string, text: string];

/** The lawful values with their source; undefined: the comparison has neither. */
export function lawful({ due, source }: Comparison): LabelledText | undefined {
  if (due !== undefined) return ['due', `${due.join(', ')}${source === undefined ? '' : ` (${source})`}`];
  return source === undefined ? undefined : ['by', source];
}

/** The part that differs, in labelled lines. */
export function comparedField(comparison: Comparison): readonly LabelledText[] {
  const { came, became, parts } = comparedMessages(comparison);
  const [part] = parts;
  const due = lawful(comparison);
  return [
    [came, part?.came || absentPart],
    [became, part?.became || absentPart],
    ...(due === undefined ? [] : [due]),
  ];
}

/** Both messages as lines for a reader of plain text; the line of the part that differs begins with `>`. */
export function comparisonLines(comparison: Comparison): readonly string[] {
  const { came, became, parts } = comparedMessages(comparison);
  const due = lawful(comparison);
  return [
    `${came} | ${became}`,
    ...parts.map(
      (part) =>
        `${part.differs ? '>' : ' '} ${part.name}: ${part.came || absentPart} | ${part.became || absentPart}`,
    ),
    ...(due === undefined ? [] : [`  ${due[0]}: ${due[1]}`]),
  ];
}
