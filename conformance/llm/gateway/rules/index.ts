/** All rules of gateways. Most of them tell what an answer showed that is over; those about time are in time.ts. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../view.ts';
import { timeRules } from './time.ts';

/** The rows that an answer shows when it is over. */
const answerRows =
  '01 02 03 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 23 24 25 26 27 28 29 31 32 33 39 45'
    .split(' ')
    .map((number) => `LLM-G${number}`);

const found = (row: string, event: TraceEvent, { facts }: GatewayView): readonly Finding[] =>
  facts
    .filter((fact) => fact.row === row)
    .map(({ message }) => (message === undefined ? exercised(event) : violated(event, message)));

const answerRule = (row: string): Rule<GatewayView> =>
  rule({
    requirement: row,
    listens: ['above.end', 'above.reset'],
    start: () => null,
    step: (_, event, view: GatewayView) => found(row, event, view),
  });

export const gatewayRules: readonly Rule<GatewayView>[] = [...answerRows.map(answerRule), ...timeRules];
