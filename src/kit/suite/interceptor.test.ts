import { describe, expect, it } from 'vitest';
import type { Role, RoleInput, RoleOutput } from '../base/index.ts';
import { allFaults, onReceive, onSend } from './faults.ts';
import { intercepted } from './interceptor.ts';
import type { FaultContext, RoleFault } from './interceptor.ts';

type Context = FaultContext<string[], string, string>;
type Fault = RoleFault<string[], string, string>;

/** Remembers the inputs that it was given, and sends each message back. */
const echo: Role<string[], string, string> = {
  name: 'echo',
  start: () => [],
  step(state, input, now) {
    state.push(input.type === 'message' ? `${input.message} at ${now}` : input.type);
    return {
      state,
      outputs: input.type === 'message' ? [{ type: 'send', peer: input.peer, message: input.message }] : [],
    };
  },
};

/** Gives inputs to the role with a fault. @returns its outputs, and the inputs that the role was given */
function run(
  fault: Fault | (() => Fault),
  ...inputs: readonly RoleInput<string, never>[]
): { outputs: readonly RoleOutput<string>[]; given: readonly string[] } {
  const role = intercepted(echo, typeof fault === 'function' ? fault : () => fault);
  let state = role.start();
  const outputs = inputs.flatMap((input, now) => {
    const stepped = role.step(state, input, now);
    state = stepped.state;
    return stepped.outputs;
  });
  return { outputs, given: state.role };
}

const message = (text: string): RoleInput<string, never> => ({ type: 'message', peer: 'a', message: text });
const opened: RoleInput<string, never> = { type: 'opened', peer: 'a', metadata: { ':path': '/x' } };
const sent = (text: string): RoleOutput<string> => ({ type: 'send', peer: 'a', message: text });

describe('a role with a fault', () => {
  it('is as it was, where the fault changes nothing', () => {
    expect(run({}, opened, message('hi'))).toEqual({ outputs: [sent('hi')], given: ['opened', 'hi at 1'] });
  });

  it('receives other messages, and sends other messages', () => {
    const twice = onReceive<string[], string, string>((text) => [text, text]);
    const loud = onSend<string[], string, string>((text) => (text === 'no' ? [] : [text.toUpperCase()]));
    expect(run(twice, message('hi')).given).toEqual(['hi at 0', 'hi at 0']);
    expect(run(loud, message('hi'), message('no')).outputs).toEqual([sent('HI')]);
    expect(run(allFaults(twice, loud), message('hi')).outputs).toEqual([sent('HI'), sent('HI')]);
  });

  it('is given more, sends more, and does something later', () => {
    const more = (context: Context): void => {
      expect([context.now, context.peer, context.metadataOf('a'), context.metadataOf('b')]).toEqual([
        0,
        'a',
        { ':path': '/x' },
        undefined,
      ]);
      context.tell('told');
      context.send('more');
      context.later(50, (then) => then.tellInput({ type: 'half_close', peer: 'a' }));
    };
    const fault: Fault = {
      input(input, context) {
        if (input.type === 'opened') more(context);
        return [input];
      },
    };
    const { outputs, given } = run(fault, opened, { type: 'timer', id: 'faulty echo 1' });
    expect(outputs).toEqual([
      sent('more'),
      { type: 'start_timer', id: 'faulty echo 1', ms: 50 },
      sent('told'),
    ]);
    expect(given).toEqual(['opened', 'told at 0', 'half_close']);
  });

  it('loses a link that the fault ends', () => {
    const hangsUp = onReceive<string[], string, string>((_, context) => {
      context.close(1, 'hung up', 'a');
      return [];
    });
    expect(run(hangsUp, message('hi'))).toEqual({
      outputs: [{ type: 'close', peer: 'a', status: { code: 1, message: 'hung up' } }],
      given: ['left'],
    });
  });

  it('has another clock, and a fault of its own in each run', () => {
    expect(run({ clock: (_, now) => now + 7 }, message('hi')).given).toEqual(['hi at 7']);
    const role = intercepted(echo, () => {
      let n = 0;
      return onReceive<string[], string, string>((text) => (n++ === 0 ? [] : [text]));
    });
    for (const state of [role.start(), role.start()])
      expect(role.step(state, message('hi'), 0).outputs).toEqual([]);
  });
});
