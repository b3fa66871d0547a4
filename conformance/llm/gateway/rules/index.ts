/**
 * All rules of gateways. Most of them tell what a request showed that reached the provider, and an answer that is over; those
 * about time are in time.ts.
 */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../view.ts';
import { timeRules } from './time.ts';

/** The rows that an answer shows when it is over. */
const answerRows =
  '01 02 03 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 23 24 25 26 27 28 29 30 31 32 33 39 43 45 46 49'
    .split(' ')
    .map((number) => `LLM-G${number}`);

/** The rows that a request shows. One that the gateway refuses is an answer, too. */
const requestRows = '04 38 40 41 42 44 47 48 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 70'
  .split(' ')
  .map((number) => `LLM-G${number}`);

const found = (row: string, event: TraceEvent, { facts }: GatewayView): readonly Finding[] =>
  facts
    .filter((fact) => fact.row === row)
    .map(({ message, comparison }) =>
      message === undefined ? exercised(event) : violated(event, message, undefined, comparison),
    );

const answerRule = (row: string): Rule<GatewayView> =>
  rule({
    requirement: row,
    listens: ['above.end', 'above.reset'],
    start: () => null,
    step: (_, event, view: GatewayView) => found(row, event, view),
  });

/** LLM-G69: everything that a client gets. */
const providerKey: Rule<GatewayView> = rule({
  requirement: 'LLM-G69',
  listens: ['above.headers', 'above.message', 'above.undecodable', 'above.end', 'above.reset'],
  start: () => null,
  step: (_, event, view: GatewayView) => found('LLM-G69', event, view),
});

const requestRule = (row: string): Rule<GatewayView> =>
  rule({
    requirement: row,
    listens: ['below.message', 'above.end', 'above.reset'],
    start: () => null,
    step: (_, event, view: GatewayView) => found(row, event, view),
  });

/** LLM-G50, which reports of the provider show. */
const heldBack: Rule<GatewayView> = rule({
  requirement: 'LLM-G50',
  listens: ['mark'],
  start: () => null,
  step: (_, event, view: GatewayView) => found('LLM-G50', event, view),
});

export const gatewayRules: readonly Rule<GatewayView>[] = [
  ...answerRows.map(answerRule),
  ...requestRows.map(requestRule),
  providerKey,
  heldBack,
  ...timeRules,
];
