/** All checks of an answer that is over. */
import { refusedFacts } from '../asked/refused.ts';
import { isDisturbed } from '../exchanges.ts';
import type { Above, Below } from '../exchanges.ts';
import { broken, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import type { Twins } from '../twins.ts';
import { maySeemLost } from './answered.ts';
import type { AnswerCheck, Answered } from './answered.ts';
import { attemptsFacts, continuesAnswer } from './attempts.ts';
import { brokenCalls, ids, sameArguments, sameCalls } from './calls.ts';
import { citations, refusal, text, thoughts } from './content.ts';
import { bestWord, errorInstead, limits, noGoodEnd, toolUse } from './ends.ts';
import { failureFacts } from './failures.ts';
import { largeAnswer, largeLost, largeRefusal } from './large.ts';
import { answeredOf, restoredNames } from './names.ts';
import { noiseFacts, noiseHarm, passedFacts, unknownRefused } from './noise.ts';
import { slowAnswer, slowLost } from './slow.ts';
import { stopped } from './stops.ts';
import { twinFacts } from './twins.ts';
import { asksForUsage, counts, splits } from './usage.ts';
import { isGood, named, oneAnswer, works } from './works.ts';

/** The checks of an answer that is good on both sides. */
const checks: readonly AnswerCheck[] = [
  text,
  thoughts,
  sameCalls,
  sameArguments,
  ids,
  brokenCalls,
  limits,
  toolUse,
  noGoodEnd,
  bestWord,
  refusal,
  citations,
  oneAnswer,
  counts,
  splits,
  asksForUsage,
  named,
  restoredNames,
  largeAnswer,
  slowAnswer,
  passedFacts,
];

/** Whether the provider's answer was whole and good. */
const wasGood = ({ dialect, sent, ended }: Below): boolean => {
  const answer = sent.answer();
  return (
    sent.status === 200 &&
    answer.error === undefined &&
    (answer.terminals > 0 || (dialect === 'openai-chat' && endsWithoutDone(sent, ended !== undefined)))
  );
};

/** A finish reason without [DONE] is a whole answer of Chat Completions. */
const endsWithoutDone = (sent: Below['sent'], isOver: boolean): boolean =>
  isOver && sent.end === 'clean' && sent.answer().stop !== undefined && sent.answer().error === undefined;

/** The facts of a client's answer that is over. */
export function answerFacts(above: Above, twins: Twins): readonly GatewayFact[] {
  if (above.left !== undefined || isDisturbed(above) || above.body === undefined) return [];
  const below = above.below.at(-1);
  if (below === undefined) return withoutProvider(above);
  // What was heard is then the work of several requests, and no answer to compare it with.
  if (continuesAnswer(above)) return attemptsFacts(above);
  return [...attemptsFacts(above), ...lastAnswerFacts(above, below, twins)];
}

/** The facts of the provider's last answer. */
function lastAnswerFacts(above: Above, below: Below, twins: Twins): readonly GatewayFact[] {
  const answered = answeredOf(above, below);
  if (!wasGood(below)) return below.letGo === undefined ? failureFacts(answered) : slowLost(answered);
  const first = [...works(answered), ...once(above, below)];
  const earlier = twins.of(above.about.case);
  if (!isGood(answered))
    return [
      ...first,
      ...errorInstead(answered),
      ...noiseHarm(answered, earlier),
      ...largeLost(answered),
      ...slowLost(answered),
    ];
  const { facts: stops, isCut } = stopped(answered);
  const facts = [...first, ...stops, ...noiseFacts(answered, earlier)];
  if (isCut) return facts;
  return [...facts, ...checks.flatMap((check) => check(answered)), ...compared(answered, twins)];
}

/** LLM-G39: no answer comes without a request below. A refusal is lawful where the provider's dialect has no word (LLM-G57). */
function withoutProvider(above: Above): readonly GatewayFact[] {
  const { status, body } = above.heard;
  const refused = unknownRefused(above) ?? refusedFacts(above) ?? largeRefusal(above);
  if (refused !== undefined) return refused;
  if (status === 200)
    return [
      broken('LLM-G39', 'expected one request to the provider for each answer; came an answer without one'),
    ];
  // The gateway gave up a provider that did not take the request in time, since a busy machine held up the kit.
  if (status >= 500 && above.held >= maySeemLost) return [];
  const came = `${status} ${JSON.stringify(body ?? null).slice(0, 160)}`;
  return [broken('LLM-G01', `expected the request to reach the provider; came ${came}`)];
}

/** LLM-G39: an answer that was good at once has one request below. */
function once(above: Above, below: Below): readonly GatewayFact[] {
  const first = above.below[0];
  if (first === undefined || !wasGood(first)) return [];
  const { length } = above.below;
  return [
    below === first
      ? kept('LLM-G39')
      : broken('LLM-G39', `expected one request to the provider, whose answer was good; came ${length}`),
  ];
}

function compared({ above, below, sent, heard }: Answered, twins: Twins): readonly GatewayFact[] {
  const { cuts, noise } = below.sent;
  const twin = { sent, heard, streamed: above.heard.streamed, cut: cuts > 0, noisy: noise.came };
  const facts = twinFacts(twins.of(above.about.case), twin);
  twins.add(above.about.case, twin);
  return facts;
}
