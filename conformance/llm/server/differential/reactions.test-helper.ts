/** The difference that a mutated answer makes to a program, and whether it breaks the client. */
import { overdueText } from './answer.test-helper.ts';
import type { Answer } from './answer.test-helper.ts';

const facts = ['throws', 'text', 'ids', 'names', 'inputs', 'stop', 'tokens', 'id', 'model'] as const;

/** The first difference between the answers of a mutant and of the reference, in words. */
export function reactionTo(mutant: readonly Answer[], reference: readonly Answer[]): string {
  const differences = new Set<string>();
  for (const [i, answer] of mutant.entries()) {
    const { throws } = answer;
    if (throws === overdueText) return throws;
    if (throws !== undefined && throws !== reference[i]?.throws) return `throws: ${throws.slice(0, 90)}`;
    for (const fact of facts)
      if (said(answer[fact]) !== said(reference[i]?.[fact]))
        differences.add(
          `${fact} ${said(answer[fact]).slice(0, 60)} instead of ${said(reference[i]?.[fact]).slice(0, 60)}`,
        );
  }
  return differences.size === 0 ? 'no difference' : `hands on ${[...differences].join('; ')}`;
}

/**
 * Whether the client throws, waits, or gives the program another text or other calls. A call without an id cannot be
 * answered. Another stop reason, another count and another id are handed on.
 */
export const breaks = (mutant: readonly Answer[], reference: readonly Answer[]): boolean =>
  mutant.some((answer, i) => {
    const honest = reference[i] ?? {};
    if (answer.throws !== undefined) return answer.throws !== honest.throws;
    return (
      ['text', 'names', 'inputs'].some((fact) => said(at(answer, fact)) !== said(at(honest, fact))) ||
      identities(answer) !== identities(honest)
    );
  });

const at = (answer: Answer, fact: string): unknown =>
  new Map<string, unknown>(Object.entries(answer)).get(fact);

/** The ids of calls: which are present, and which are equal. */
const identities = ({ ids = [] }: Answer): string =>
  JSON.stringify(ids.map((id) => (typeof id === 'string' && id !== '' ? ids.indexOf(id) : 'none')));

/** A value as JSON. Ids of the seed are shown as `id1`, `id2`: equal ids are equal. */
function said(value: unknown): string {
  const known: string[] = [];
  const json = JSON.stringify(value) ?? 'nothing';
  return json.replaceAll(
    /\b(?:call_|toolu_|chatcmpl-|resp_)?(?:[0-9A-Za-z]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g,
    (id) => {
      if (!known.includes(id)) known.push(id);
      return `id${known.indexOf(id) + 1}`;
    },
  );
}
