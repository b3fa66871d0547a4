/** The orders of a person at a simulated gateway: the help names each, and its example is a directive (spec/fold/README.md). */
import { expect, it } from 'vitest';
import { parseDirective } from '../../../src/fold/directive.ts';
import { gatewayOrders, goawayOrder } from './orders.ts';
import { startView } from '../agent/view.ts';

const orders = gatewayOrders(
  () => () => {},
  startView(),
  () => {},
);

it('lists each order once, because the help is by word', () => {
  const words = orders.map(({ usage }) => usage.split(' ')[0]);
  expect(words).toEqual([...new Set(words)]);
});

it('shows steps that agents obey', () => {
  const { text = '' } = orders.find(({ usage }) => usage.startsWith('do ')) ?? {};
  const steps = /\[.*\]/.exec(text)?.[0] ?? '';
  expect(parseDirective(`{"wireproof":{"v":1,"do":${steps}}}`)).toMatchObject({ ok: true });
  expect(parseDirective('{"wireproof":{"v":1,"do":[{"print":"hi"}]}}')).toMatchObject({ ok: false });
});

it('takes goaway and goaway calm', () => {
  const sent: string[] = [];
  const order = goawayOrder((code) => void sent.push(code));
  expect([order.obey(''), order.obey('calm'), order.obey('now')]).toEqual([
    undefined,
    undefined,
    'goaway now: expected goaway, or goaway calm',
  ]);
  expect(sent).toEqual(['NO_ERROR', 'ENHANCE_YOUR_CALM']);
});
