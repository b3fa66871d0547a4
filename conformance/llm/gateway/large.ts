/** Large texts of scenarios. They are made when a scenario is played: a list of scenarios has none of them. */

/** The name of a large text. */
export type LargeText = 'some' | 'large' | 'larger' | 'flow' | 'half_flow' | 'flood';

/** The sizes of large texts (UTF-16 units, which are bytes), by name. */
const sizes: { readonly [name in LargeText]: number } = {
  /** More than the 1 MiB that many servers take by default. The self-test plays it: the sizes below take long. */
  some: 1_500_000,
  /** 8 MiB of text, and its JSON. */
  large: 8 << 20,
  /** More than a provider takes: 32 MB (Anthropic API, Errors, request_too_large). */
  larger: 33 << 20,
  /** Streams, which are nearly twice as large as JSON: of the self-test, of Responses, which says each text five times, and of others. */
  flow: 1_200_000,
  half_flow: 4 << 20,
  flood: 12 << 20,
};

/** The texts with many quotes, which JSON writes as two characters each. */
const quoted: ReadonlySet<string> = new Set(['flow', 'half_flow', 'flood']);

/** A text of numbered lines: a piece that is missing, doubled or moved changes it. */
function numbered(size: number, rest: string): string {
  const lines: string[] = [];
  const length = `line 00000000${rest}`.length;
  for (let i = 0; i * length < size; i++) lines.push(`line ${String(i).padStart(8, '0')}${rest}`);
  return lines.join('').slice(0, size);
}

/** The variables of scenarios that hold large texts: `$large_text.some`, and so on. */
export const largeTexts: { readonly [name: string]: unknown } = {
  large_text: Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => [
      name,
      () => numbered(size, quoted.has(name) ? ` ${'"'.repeat(50)} ` : ' of a large text. '),
    ]),
  ),
};

/** The place of a large text in the words of a test, for the player. */
export const placeOf = (text: LargeText): string => `\${large_text.${text}}`;
