/** Large texts of scenarios. They are made when a scenario is played: a list of scenarios has none of them. */

/** The name of a large text. */
export type LargeText = 'some' | 'large' | 'larger';

/** The sizes of large texts (UTF-16 units, which are bytes), by name. */
const sizes: { readonly [name in LargeText]: number } = {
  /** More than the 1 MiB that many servers take by default. The self-test plays it: the sizes below take long. */
  some: 1_500_000,
  /** 8 MiB of text, and its JSON. */
  large: 8 << 20,
  /** More than a provider takes: 32 MB (Anthropic API, Errors, request_too_large). */
  larger: 33 << 20,
};

/** A text of numbered lines: a piece that is missing, doubled or moved changes it. */
function numbered(size: number): string {
  const lines: string[] = [];
  for (let i = 0; i * lineLength < size; i++)
    lines.push(`line ${String(i).padStart(8, '0')} of a large text. `);
  return lines.join('').slice(0, size);
}

const lineLength = 'line 00000000 of a large text. '.length;

/** The variables of scenarios that hold large texts: `$large_text.some`, and so on. */
export const largeTexts: { readonly [name: string]: unknown } = {
  large_text: Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, () => numbered(size)])),
};

/** The place of a large text in the words of a test, for the player. */
export const placeOf = (text: LargeText): string => `\${large_text.${text}}`;
