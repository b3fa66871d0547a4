/** The order of a run's scenarios. They are played side by side, and no verdict or message may depend on which one ends first. */

type Named = readonly { readonly name: string }[];

/** The place of a scenario in the whole run; the last one for another name. */
export const placesIn = (scenarios: Named): ((name: string) => number) => {
  const places = new Map(scenarios.map(({ name }, i) => [name, i]));
  return (name) => places.get(name) ?? scenarios.length;
};

/** Sorts by the order of scenarios. Items of one name keep their order. */
export const inOrder = <T extends { readonly name: string }>(
  items: readonly T[],
  scenarios: Named,
): readonly T[] => {
  const place = placesIn(scenarios);
  return items.toSorted((a, b) => place(a.name) - place(b.name));
};
