/** LLM-G58: the names of tools that the provider's dialect cannot carry come back as the client's. */
import type { NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { askedOf } from '../asked/index.ts';
import { renamedTools } from '../asked/tools.ts';
import type { Above, Below } from '../exchanges.ts';
import { broken, kept } from '../facts.ts';
import type { AnswerCheck, Answered } from './answered.ts';

/** An answer with the client's names of tools. */
const named = (answer: NeutralAnswer, names: ReadonlyMap<string, string>): NeutralAnswer => ({
  ...answer,
  calls: answer.calls.map((call) => ({ ...call, name: names.get(call.name) ?? call.name })),
});

/** An answer on both sides, with the client's names of tools: what is not restored, LLM-G58 alone tells. */
export function answeredOf(above: Above, below: Below): Answered {
  const [sent, heard] = [below.sent.answer(), above.heard.answer()];
  if (sent.calls.length === 0) return { above, below, sent, heard };
  const names = renamedTools(askedOf(above, below));
  return { above, below, sent: named(sent, names), heard: named(heard, names) };
}

export const restoredNames: AnswerCheck = ({ above, below }) => {
  const [sent, heard] = [below.sent.answer(), above.heard.answer()];
  if (sent.calls.length === 0) return [];
  const names = renamedTools(askedOf(above, below));
  if (!sent.calls.some(({ name }) => names.has(name))) return [];
  const left = heard.calls.find(({ name }) => names.has(name));
  return [
    left === undefined
      ? kept('LLM-G58')
      : broken('LLM-G58', `expected the call of ${names.get(left.name) ?? ''}; came ${left.name}`),
  ];
};
