/** TOON-40, 48, 49 and 53: how an orchestrator answers calls. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { messageOf, payloadOf } from '../../shared/view-peer.ts';
import type { AskType } from '../../shared/view-stream.ts';

import type { ToonView } from '../../shared/view.ts';
import { leftUndone, neverDone } from '../../shared/rules/undone.ts';

/** A rule that every call of a type is answered. TOON-53 judges a second answer. */
const answersEach = (requirement: string, call: AskType, answer: string): Rule<ToonView> =>
  rule({
    requirement,
    listens: [`target.${answer}`, 'closing'],
    start: () => null,
    step(_, event, view: ToonView): Findings {
      if (event.kind !== 'message') return leftUndone(requirement, event, view, `${answer} for the ${call}`);
      return view.meaning?.ends === 'answer' ? exercised(event) : undefined;
    },
    end: (_, view, last) => neverDone(requirement, view, last, `${answer} for the ${call}`),
  });

const answersSomething = rule({
  requirement: 'TOON-53',
  listens: ['target.TOOL_RESULT', 'target.CONTEXT_RESPONSE'],
  start: () => null,
  step(_, event, view: ToonView) {
    const { meaning } = view;
    if (meaning?.ends === 'answer') return exercised(event);
    if (meaning?.stray === undefined) return undefined;
    const { type } = messageOf(event);
    const call = type === 'TOOL_RESULT' ? 'TOOL_CALL' : 'CONTEXT_REQUEST';
    const none = meaning.stray === 'early' ? 'there was none' : 'all had been answered';
    return violated(event, `expected an open ${call} for each ${type}; ${none}, and one came`);
  },
});

const matchesInOrder = rule({
  requirement: 'TOON-40',
  listens: ['target.TOOL_RESULT'],
  start: () => null,
  step(_, event, view: ToonView): Findings {
    const { ask, stream } = view.meaning ?? {};
    if (ask === undefined || stream === undefined || stream.lost !== undefined) return undefined;
    const payload = payloadOf(messageOf(event));
    if (ask.requestId !== undefined && payload['requestId'] !== ask.requestId)
      return violated(
        event,
        `expected the result to repeat the requestId ${JSON.stringify(ask.requestId)} of its call; ${came(payload['requestId'])}`,
        [ask.seq],
      );
    const open = stream.asks.filter(({ type }) => type === ask.type);
    if (open.length < 2) return undefined;
    const text = JSON.stringify(payload);
    const marked = open.filter(({ marker }) => marker !== undefined && text.includes(`"${marker}"`));
    if (marked.includes(ask)) return exercised(event);
    const [other] = marked;
    if (other === undefined) return ask.requestId === undefined ? undefined : exercised(event);
    return violated(
      event,
      `expected the result of the call of ${ask.marker ?? 'the given requestId'}, which is ${ask.requestId === undefined ? 'the oldest that is open' : 'the one it names'}; came that of ${other.marker}`,
      [ask.seq, other.seq],
    );
  },
});

const came = (requestId: Json | undefined): string =>
  requestId === undefined ? 'it has none' : `it has ${JSON.stringify(requestId).slice(0, 60)}`;

export const orchestratorOnlyRules: readonly Rule<ToonView>[] = [
  matchesInOrder,
  answersEach('TOON-48', 'TOOL_CALL', 'TOOL_RESULT'),
  answersEach('TOON-49', 'CONTEXT_REQUEST', 'CONTEXT_RESPONSE'),
  answersSomething,
];
