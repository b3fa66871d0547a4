/** FOLD-A18 over both wires: what the model says for one request is not in another that is active at the same time. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { contentsOf, isOver } from '../exchanges.ts';
import type { BothView, GatewayRequest } from '../records.ts';
import { tellingLength } from '../responses.ts';
import { endTopics } from '../topics.ts';
import { endingRequest } from '../view.ts';

/** The texts of the model for a request. */
const textsFor = ({ exchanges }: GatewayRequest): readonly string[] =>
  exchanges.flatMap(({ answered }) => answered?.text.trim() ?? []);

/** Everything that a request has a reason to show: what the model said for it, and what the model was told. */
const knownOf = (to: GatewayRequest): readonly string[] => [
  ...textsFor(to),
  to.content,
  ...to.exchanges.flatMap(contentsOf),
  ...to.exchanges.flatMap(({ messages }) => messages.map(({ content }) => content)),
];

/**
 * The texts of the model for one request that another one has no reason to show. While the model still answers the other
 * one, nothing is known.
 */
function foreignTexts(from: GatewayRequest, to: GatewayRequest): readonly string[] {
  if (to.exchanges.some((one) => !isOver(one))) return [];
  const known = knownOf(to);
  return textsFor(from).filter(
    (text) => text.length >= tellingLength && !known.some((one) => one.includes(text)),
  );
}

/** The first text, or part of a text, of the model for one request that another one shows without a reason. */
function mixedText(foreign: readonly string[], to: GatewayRequest): string | undefined {
  const whole = foreign.find((text) => to.text.includes(text));
  if (whole !== undefined || to.hasStrays) return whole;
  const known = knownOf(to);
  return to.pieces.find(
    (piece) => foreign.some((text) => text.includes(piece)) && !known.some((one) => one.includes(piece)),
  );
}

/** Whether two requests were active at the same time, one of which ends now. */
const overlap = (one: GatewayRequest, other: GatewayRequest): boolean =>
  one !== other && one.stream === other.stream && (other.ended === undefined || other.ended.seq > one.seq);

const apart: Rule<BothView> = rule({
  requirement: 'FOLD-A18',
  listens: endTopics,
  start: () => null,
  step(_, event, view: BothView): Findings {
    const { request } = endingRequest(view, event) ?? {};
    if (request === undefined) return undefined;
    let tested = false;
    for (const other of view.requests.values()) {
      if (!overlap(request, other)) continue;
      for (const [from, to] of [
        [request, other],
        [other, request],
      ] as const) {
        const texts = foreignTexts(from, to);
        tested ||= texts.length > 0 && to.text !== '';
        const mixed = mixedText(texts, to);
        if (mixed !== undefined)
          return violated(
            event,
            `expected the text ${JSON.stringify(mixed.slice(0, 60))} of request ${from.id} in that request only; ${to.id} has it, too`,
          );
      }
    }
    return tested ? exercised(event) : undefined;
  },
});

export const mixingRules: readonly Rule<BothView>[] = [apart];
