/** Puts the two messages of a violated requirement side by side: for answers from below, for requests from above. */
import type { ComparedSide, Comparison } from '../../../../src/kit/base/index.ts';
import { comparison } from '../../../../src/kit/judge/index.ts';
import { askedOf } from '../asked/index.ts';
import type { Above, Below } from '../exchanges.ts';
import type { GatewayFact } from '../facts.ts';
import { answerParts } from './answer-parts.ts';
import type { Parts } from './answer-parts.ts';
import { dueEnd, dueRequest } from './due.ts';
import { answerFields, requestFields } from './fields.ts';
import { requestParts } from './request-parts.ts';

/** The facts of an answer; each violation with what the provider said and what the client heard. */
export function comparedAnswer(above: Above, facts: readonly GatewayFact[]): readonly GatewayFact[] {
  const below = above.below.at(-1);
  if (below === undefined) return facts;
  return facts.map((fact) => {
    if (fact.message === undefined) return fact;
    const { row } = fact;
    const fields = answerFields[row];
    if (fields === undefined) return comparedRequest(above, below, [fact])[0] ?? fact;
    return withComparison(fact, fields, {
      from: 'below',
      below: { label: `provider (${below.dialect}) said`, parts: answerParts(below.sent) },
      above: { label: `client (${above.dialect}) heard`, parts: answerParts(above.heard) },
      ...(fields[0] === 'end' ? dueEnd(row, below.sent.answer(), above.dialect) : {}),
    });
  });
}

/** The facts of a request; each violation with what the client asked and what the provider was asked. */
export const comparedRequest = (
  above: Above,
  below: Below,
  facts: readonly GatewayFact[],
): readonly GatewayFact[] =>
  facts.map((fact) => {
    const fields = requestFields[fact.row];
    if (fact.message === undefined || fields === undefined) return fact;
    const asked = askedOf(above, below);
    return withComparison(fact, fields, {
      from: 'above',
      above: { label: `client (${above.dialect}) asked`, parts: requestParts(asked.above) },
      below: { label: `provider (${below.dialect}) was asked`, parts: requestParts(asked.below) },
      ...dueRequest(fact.row, asked),
    });
  });

interface WholeSide {
  readonly label: string;
  readonly parts: Parts;
}

interface Whole extends Omit<Comparison, 'field' | 'above' | 'below'> {
  readonly above: WholeSide;
  readonly below: WholeSide;
}

/** Parts that are shown beside the one that differs, as far as a message has them. */
const telling = new Set([
  'text',
  'calls',
  'end',
  'error',
  'usage',
  'messages',
  'tools',
  'tool choice',
  'limit',
]);

function withComparison(fact: GatewayFact, fields: readonly string[], whole: Whole): GatewayFact {
  const { above, below } = whole;
  const differs = (name: string): boolean => above.parts[name] !== below.parts[name];
  // LLM-G67 is about what only the provider was asked.
  const isTold = (name: string): boolean =>
    fact.row === 'LLM-G67' ? above.parts[name] === undefined && differs(name) : differs(name);
  const field = fields.find(isTold) ?? (whole.due === undefined ? undefined : fields[0]);
  if (field === undefined) return fact;
  const side = ({ label, parts }: WholeSide): ComparedSide => ({ label, parts: present(parts, field) });
  return { ...fact, comparison: comparison({ ...whole, field, above: side(above), below: side(below) }) };
}

const present = (parts: Parts, field: string): ComparedSide['parts'] => {
  const shown = Object.entries(parts).flatMap(([name, text]) =>
    text !== undefined && (name === field || telling.has(name)) ? [[name, text] as const] : [],
  );
  return Object.fromEntries(shown);
};
