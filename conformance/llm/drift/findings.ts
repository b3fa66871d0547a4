/** What traffic has that this revision does not know, or that no other recording has. */
import type { DriftFinding } from '../../../src/kit/suite/index.ts';
import type { Sighting, Sightings, Traffic } from './traffic.ts';
import { vocabularyOf } from './vocabulary.ts';

/** What traffic has that is new. `known`: what other recordings have. */
export const findingsOf = (traffic: Traffic, known: readonly Traffic[]): readonly DriftFinding[] => [
  ...wordFindings(
    traffic.words,
    known.flatMap(({ words }) => words.all),
  ),
  ...elsewhere(
    traffic.orders,
    known.flatMap(({ orders }) => orders.all),
  ).map(orderFinding),
  ...memberFindings(
    traffic.members,
    known.flatMap(({ members }) => members.all),
  ),
];

function wordFindings(words: Sightings, known: readonly Sighting[]): readonly DriftFinding[] {
  const others = new Set(known.map(keyOf));
  return words.all.flatMap((seen): readonly DriftFinding[] => {
    const { dialect, kind, text, count, first } = seen;
    const listed = vocabularyOf(dialect).known(kind, text);
    if (listed === undefined)
      return others.has(keyOf(seen)) ? [] : [{ news: 'word', dialect, kind, text, count, first }];
    if (listed.stage !== 'beta') return [];
    const note = `since ${listed.since}; ${doing(listed.kit, listed.why)}`;
    return [{ news: 'beta', dialect, kind, text, note, count, first }];
  });
}

const doing = (kit: 'ignored' | 'new' | readonly string[], why = 'nobody has decided'): string =>
  typeof kit === 'string' ? `the kit passes over it: ${why}` : `the kit has it ${kit.join(', ')}`;

const keyOf = ({ dialect, kind, shape = '', text }: Sighting): string =>
  `${dialect} ${kind} ${shape}: ${text}`;

/** What one file has, and no other. Orders of unknown words are no news: their words are. */
function elsewhere(seen: Sightings, known: readonly Sighting[]): readonly Sighting[] {
  const others = new Set(known.map(keyOf));
  const dialects = new Set(known.map(({ dialect }) => dialect));
  return seen.all.filter(
    (one) => dialects.has(one.dialect) && !others.has(keyOf(one)) && !seen.isElsewhere(one),
  );
}

const orderFinding = ({ dialect, text, count, first }: Sighting): DriftFinding => ({
  news: 'order',
  dialect,
  text,
  count,
  first,
});

function memberFindings(seen: Sightings, known: readonly Sighting[]): readonly DriftFinding[] {
  return elsewhere(seen, known).map((one) => {
    const { dialect, kind, shape, count, first } = one;
    const text = shape === undefined ? kind : shape;
    const same = known.filter(
      (other) => other.dialect === dialect && other.kind === kind && other.shape === shape,
    );
    return { news: 'members', dialect, kind, text, note: differenceOf(one, same), count, first };
  });
}

const namesOf = ({ text }: Sighting): readonly string[] => (text === '' ? [] : text.split(', '));

/** How the members differ from those of the most similar object. */
function differenceOf(one: Sighting, others: readonly Sighting[]): string {
  const names = namesOf(one);
  const differences = others.map((other) => {
    const theirs = new Set(namesOf(other));
    const more = names.filter((name) => !theirs.has(name));
    const less = [...theirs].filter((name) => !names.includes(name));
    return { more, less, size: more.length + less.length };
  });
  const [nearest] = differences.toSorted((a, b) => a.size - b.size);
  if (nearest === undefined) return names.length === 0 ? 'no members' : `with ${names.join(', ')}`;
  return [
    ...(nearest.more.length > 0 ? [`with ${nearest.more.join(', ')}`] : []),
    ...(nearest.less.length > 0 ? [`without ${nearest.less.join(', ')}`] : []),
  ].join('; ');
}
