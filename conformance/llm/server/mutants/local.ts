/** Servers with faults in the lines of Ollama or the channels of LM Studio: LLM-S08 and LLM-S09. */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, mutant, countUp, unitFault, valueOf } from './mutant.ts';
import type { FaultContext } from './mutant.ts';

type UnitEdit = (unit: Unit, context: FaultContext) => readonly Unit[] | undefined;

const ollama = (id: string, title: string, kinds: string | RegExp, edit: UnitEdit): Mutant =>
  mutant('LLM-S08', `ollama-${id}`, title, { unit: unitFault('ollama', kinds, edit) });

const call = ['message', 'tool_calls', 0, 'function', 'arguments'] as const;

const lines: readonly Mutant[] = [
  ollama(
    'line-of-text',
    'It keeps the connection alive with lines that are not objects.',
    'line',
    (unit, context) => (countUp(context, 'lines') === 1 ? [unit, { data: '"keep-alive"' }] : undefined),
  ),
  ollama('line-in-array', 'It repeats a line in an array.', 'line', (unit, context) =>
    countUp(context, 'lines') === 1 ? [unit, { data: [unit.data] }] : undefined,
  ),
  ollama('counts-on-every-line', 'Every line has counts.', 'line', (unit) => [
    { ...unit, data: { ...(unit.data as { readonly [name: string]: Json }), eval_count: 1 } },
  ]),
  mutant('LLM-S23', 'ollama-empty-reason', 'Its done_reason is an empty text before the last line.', {
    unit: unitFault('ollama', 'line', (unit) => [
      { ...unit, data: { ...(unit.data as { readonly [name: string]: Json }), done_reason: '' } },
    ]),
  }),
  ollama('arguments-as-text', 'The arguments of calls are a text.', 'line', (unit) => {
    const given = valueOf(unit, ...call);
    return given === undefined ? undefined : [withUnitValue(unit, call, JSON.stringify(given))];
  }),
];

const lmstudio = (id: string, title: string, kinds: string | RegExp, edit: UnitEdit): Mutant =>
  mutant('LLM-S09', `lmstudio-${id}`, title, { unit: unitFault('lmstudio', kinds, edit) });

const welcome = { authVersion: 1, clientIdentifier: 'anybody', clientPasskey: 'anybody' };

const channels: readonly Mutant[] = [
  mutant('LLM-S09', 'lmstudio-no-authentication', 'It answers clients that did not authenticate.', {
    asked: (body, context) =>
      context.dialect === 'lmstudio' && countUp(context, 'heard') === 1 && body['authVersion'] === undefined
        ? [welcome, body]
        : [body],
  }),
  lmstudio('other-channel', 'It answers in another channel than the request.', /./, ({ data }) => {
    const message = data as { readonly [name: string]: Json };
    return typeof message['channelId'] === 'number'
      ? [{ data: { ...message, channelId: message['channelId'] + 7 } }]
      : undefined;
  }),
  lmstudio('strange-stop-reason', 'It stops for an unknown reason.', 'success', (unit) => [
    withUnitValue(unit, ['message', 'stats', 'stopReason'], 'done'),
  ]),
  lmstudio('no-stop-reason', 'It stops without a reason.', 'success', (unit) => [
    withUnitValue(unit, ['message', 'stats', 'stopReason'], undefined),
  ]),
];

/** The mutants of this theme. */
export const localMutants: readonly Mutant[] = [...lines, ...channels];
