import { describe, expect, it } from 'vitest';
import type { Role, RoleInput, RoleOutput } from '../base/index.ts';
import {
  allFaults,
  holdUntil,
  member,
  onInput,
  onOutput,
  onReceive,
  onSend,
  receiveLate,
  rename,
  sendLate,
} from './faults.ts';
import { intercepted } from './interceptor.ts';
import type { RoleFault } from './interceptor.ts';

type Message =
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'told'; readonly id: string; readonly text: string };
type Fault = RoleFault<unknown, Message, Message>;

/** Sends each message back, and asks for a timer at its half-close. */
const echo: Role<readonly string[], Message, Message> = {
  name: 'echo',
  start: () => [],
  step: (given, input) => ({
    state: [...given, input.type === 'message' ? wordsOf(input.message) : input.type],
    outputs:
      input.type === 'message'
        ? [{ type: 'send', peer: input.peer, message: input.message }]
        : input.type === 'half_close'
          ? [{ type: 'start_timer', id: 'late', ms: 10 }]
          : [],
  }),
};

const ask = (id: string): Message => ({ type: 'ask', id });
const told = (id: string, text: string = ''): Message => ({ type: 'told', id, text });
const wordsOf = (message: Message): string =>
  message.type === 'told' ? `told ${message.id} ${message.text}`.trimEnd() : `ask ${message.id}`;

/** Gives inputs to the echo with a fault. @returns the messages that it received, and its outputs in words */
function run(
  fault: Fault,
  ...inputs: readonly (Message | RoleInput<Message, never>)[]
): { received: readonly string[]; outputs: readonly string[] } {
  const role = intercepted(echo, () => fault);
  let state = role.start();
  const outputs = inputs.flatMap((one, now) => {
    const isMessage = one.type === 'ask' || one.type === 'told';
    const stepped = role.step(state, isMessage ? { type: 'message', peer: 'a', message: one } : one, now);
    state = stepped.state;
    return stepped.outputs;
  });
  return { received: state.role, outputs: outputs.map(outputWords) };
}

const outputWords = (output: RoleOutput<Message>): string =>
  output.type === 'send'
    ? wordsOf(output.message)
    : output.type === 'start_timer'
      ? `in ${output.ms}`
      : output.type;

describe('the messages that a role sends and receives', () => {
  it('pass where the fault gives nothing, and are replaced where it gives messages', () => {
    const seen: string[] = [];
    const watches: Fault = onSend((message) => {
      seen.push(wordsOf(message));
    });
    expect(run(watches, ask('1'), told('2')).outputs).toEqual(['ask 1', 'told 2']);
    expect(seen).toEqual(['ask 1', 'told 2']);
    const twice: Fault = onReceive((message) => [message, message]);
    expect(run(twice, ask('1')).received).toEqual(['ask 1', 'ask 1']);
    expect(run(twice, { type: 'half_close', peer: 'a' }).received).toEqual(['half_close']);
    expect(
      run(
        onSend(() => []),
        ask('1'),
      ).outputs,
    ).toEqual([]);
  });

  it('are edited by their types', () => {
    const drops: Fault = onSend('told', () => []);
    expect(run(drops, ask('1'), told('2')).outputs).toEqual(['ask 1']);
    const names: Fault = onReceive(['ask', 'told'], (message) => [{ ...message, id: `${message.id}!` }]);
    expect(run(names, ask('1'), told('2', 'hi')).received).toEqual(['ask 1!', 'told 2! hi']);
    const shouts: Fault = onReceive('told', (message) => [{ ...message, text: message.text.toUpperCase() }]);
    expect(run(shouts, ask('1'), told('2', 'hi')).received).toEqual(['ask 1', 'told 2 HI']);
  });

  it('are edited together with inputs and outputs of other types', () => {
    const fault: Fault = allFaults(
      onInput('left', () => []),
      onOutput('start_timer', (timer) => (timer.ms > 5 ? [{ ...timer, ms: 5 }] : undefined)),
    );
    const { received, outputs } = run(
      fault,
      ask('1'),
      { type: 'half_close', peer: 'a' },
      { type: 'left', peer: 'a' },
    );
    expect({ received, outputs }).toEqual({ received: ['ask 1', 'half_close'], outputs: ['ask 1', 'in 5'] });
  });

  it('are edited by several faults, each after the one before', () => {
    const twice: Fault = onSend((message) => [message, message]);
    const marked: Fault = onSend((message) => [{ ...message, id: `${message.id}.` }]);
    expect(run(allFaults(twice, marked), ask('1')).outputs).toEqual(['ask 1.', 'ask 1.']);
    expect(
      run(
        allFaults(
          onSend(() => []),
          marked,
        ),
        ask('1'),
      ).outputs,
    ).toEqual([]);
    expect(run(allFaults(marked, twice, marked), ask('1')).outputs).toEqual(['ask 1..', 'ask 1..']);
    expect(run(allFaults(), ask('1')).outputs).toEqual(['ask 1']);
    expect(
      run(
        allFaults(
          onReceive('ask', () => []),
          twice,
        ),
        ask('1'),
        told('2'),
      ),
    ).toEqual({
      received: ['told 2'],
      outputs: ['told 2', 'told 2'],
    });
  });
});

describe('late messages', () => {
  const due: RoleInput<Message, never> = { type: 'timer', id: 'faulty echo 1' };

  it('are sent or received after the time, and the others at once', () => {
    const slow: Fault = onSend(sendLate(50, ({ type }) => type === 'told'));
    expect(run(slow, told('1'), ask('2')).outputs).toEqual(['in 50', 'ask 2']);
    expect(run(slow, told('1'), ask('2'), due).outputs).toEqual(['in 50', 'ask 2', 'told 1']);
    const deaf: Fault = onReceive(receiveLate(50, ({ type }) => type === 'told'));
    expect(run(deaf, told('1'), ask('2'), due).received).toEqual(['ask 2', 'told 1']);
    expect(run(onReceive(receiveLate(50)), ask('1')).received).toEqual([]);
    expect(run(onSend('told', sendLate(50)), told('1'), ask('2')).outputs).toEqual(['in 50', 'ask 2']);
  });
});

describe('messages that are held back', () => {
  const isTold = ({ type }: Message): boolean => type === 'told';
  const link = (peer: string, message: Message): RoleInput<Message, never> => ({
    type: 'message',
    peer,
    message,
  });

  it('wait for the message that lets go of them, once', () => {
    const fault: Fault = onSend(
      holdUntil(isTold, (message, held) => (message.id === 'go' ? [message, ...held] : undefined)),
    );
    expect(run(fault, told('1'), ask('2'), told('3'), ask('go'), ask('go')).outputs).toEqual([
      'ask 2',
      'ask go',
      'told 1',
      'told 3',
      'ask go',
    ]);
  });

  it('are counted by whoever decides what is held', () => {
    const fault: Fault = onSend(
      holdUntil(
        (_, held) => held.length < 2,
        (message, held) => [...held.toReversed(), message],
      ),
    );
    expect(run(fault, ask('1'), ask('2'), ask('3')).outputs).toEqual(['ask 2', 'ask 1', 'ask 3']);
  });

  it('wait apart on each link, or for each key', () => {
    const release = (message: Message, held: readonly Message[]): readonly Message[] => [message, ...held];
    const ofLinks: Fault = onSend(holdUntil(isTold, release));
    expect(run(ofLinks, link('a', told('1')), link('b', ask('2')), link('a', ask('3'))).outputs).toEqual([
      'ask 2',
      'ask 3',
      'told 1',
    ]);
    const ofIds: Fault = onSend(holdUntil(isTold, release, ({ id }) => id));
    expect(run(ofIds, told('1'), ask('2'), ask('1')).outputs).toEqual(['ask 2', 'ask 1', 'told 1']);
  });
});

describe('members and names', () => {
  it('edits one member of messages that have one each', () => {
    type One = { readonly text: string } | { readonly done: number };
    const edit = member<One, 'done', string>('done', (n, by, peer) => [n + by.length + peer.length]);
    expect(edit({ done: 1 }, 'xx', 'a')).toEqual([{ done: 4 }]);
    expect(edit({ text: 'hi' }, 'xx', 'a')).toBeUndefined();
    expect(member<One, 'text', null>('text', () => {})({ text: 'hi' }, null, 'a')).toBeUndefined();
    expect(member<One, 'text', null>('text', () => [])({ text: '' }, null, 'a')).toEqual([]);
  });

  it('gives each value its own name back', () => {
    let n = 0;
    const counted = rename(() => `n${++n}`);
    expect([counted.out('x'), counted.out('y'), counted.back('n1'), counted.back('n2')]).toEqual([
      'n1',
      'n2',
      'x',
      'y',
    ]);
    const one = rename(() => 'same');
    expect([one.out('x'), one.out('y'), one.back('same'), one.back('z')]).toEqual(['same', 'same', 'y', 'z']);
  });
});
