/** Servers with faults in the lines of Ollama or the channels of LM Studio: LLM-S08 and LLM-S09. */
import type { Json } from '../../../../src/kit/base/index.ts';
import { withUnitValue, countUp, valueOf, inUnits } from './mutant.ts';
import type { ServerFaults } from './mutant.ts';

const call = ['message', 'tool_calls', 0, 'function', 'arguments'] as const;

const lines: ServerFaults = {
  'ollama-line-of-text': inUnits('ollama', 'line', (unit, context) =>
    countUp(context, 'lines') === 1 ? [unit, { data: '"keep-alive"' }] : undefined,
  ),
  'ollama-line-in-array': inUnits('ollama', 'line', (unit, context) =>
    countUp(context, 'lines') === 1 ? [unit, { data: [unit.data] }] : undefined,
  ),
  'ollama-counts-on-every-line': inUnits('ollama', 'line', (unit) => [
    { ...unit, data: { ...(unit.data as { readonly [name: string]: Json }), eval_count: 1 } },
  ]),
  'ollama-empty-reason': inUnits('ollama', 'line', (unit) => [
    { ...unit, data: { ...(unit.data as { readonly [name: string]: Json }), done_reason: '' } },
  ]),
  'ollama-arguments-as-text': inUnits('ollama', 'line', (unit) => {
    const given = valueOf(unit, ...call);
    return given === undefined ? undefined : [withUnitValue(unit, call, JSON.stringify(given))];
  }),
};

const welcome = { authVersion: 1, clientIdentifier: 'anybody', clientPasskey: 'anybody' };

const channels: ServerFaults = {
  'lmstudio-no-authentication': {
    asked: (body, context) =>
      context.dialect === 'lmstudio' && countUp(context, 'heard') === 1 && body['authVersion'] === undefined
        ? [welcome, body]
        : [body],
  },
  'lmstudio-other-channel': inUnits('lmstudio', /./, ({ data }) => {
    const message = data as { readonly [name: string]: Json };
    return typeof message['channelId'] === 'number'
      ? [{ data: { ...message, channelId: message['channelId'] + 7 } }]
      : undefined;
  }),
  'lmstudio-strange-stop-reason': inUnits('lmstudio', 'success', (unit) => [
    withUnitValue(unit, ['message', 'stats', 'stopReason'], 'done'),
  ]),
  'lmstudio-no-stop-reason': inUnits('lmstudio', 'success', (unit) => [
    withUnitValue(unit, ['message', 'stats', 'stopReason'], undefined),
  ]),
};

export const localFaults: ServerFaults = { ...lines, ...channels };
