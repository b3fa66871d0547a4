/** The reference client: prompts, answers, and lost events. */
import { describe, expect, it } from 'vitest';
import { clientStage } from '../link/stage.test-helper.ts';
import type { ClientStage } from '../link/stage.test-helper.ts';
import type { EngineCommand, EngineEvent } from '../messages.ts';
import type { ClientOptions } from './state.ts';

const start: EngineEvent = { type: 'turn_start', turn_id: 't' };
const end: EngineEvent = { type: 'turn_end', turn_id: 't', reason: { kind: 'complete' } };
const text: EngineEvent = { type: 'text_delta', text: 'a' };
const cap: EngineEvent = { type: 'loop_cap_reached', cap: 200, recent_tools: [] };
const approval = (id: string): EngineEvent => ({
  ...{ type: 'approval_request', id, tool_name: 'Bash', detail: 'ls', preview: null },
});
const question = (id: string, ...options: string[]): EngineEvent => ({
  ...{ type: 'ask_user_request', id, question: 'Which?', options },
});
const prompt = (words: string): EngineCommand => ({ type: 'user_prompt', text: words, images: [] });

const inTurn = (options: Partial<ClientOptions> = {}): ClientStage => {
  const stage = clientStage(options).say(start);
  stage.take();
  return stage;
};

describe('prompts', () => {
  it('are sent one at a time: the first at once, the next after a turn_end (KODA-62, 78)', () => {
    const stage = clientStage({ prompts: ['a', 'b'] });
    expect(stage.sent()).toEqual([prompt('a')]);
    expect(stage.say(start, text, { type: 'text_done' }).sent()).toEqual([]);
    expect(stage.say(end).sent()).toEqual([prompt('b')]);
    expect(stage.say(start, end).sent()).toEqual([]);
  });

  it('are one by default, and may have images', () => {
    expect(clientStage().sent()).toEqual([prompt('Hello.')]);
    const images = [{ data: 'aGk=', mime_type: 'image/png' }];
    expect(clientStage({ prompts: ['a'], images }).sent()).toEqual([{ ...prompt('a'), images }]);
  });

  it('wait for a turn that the engine runs by itself (KODA-62)', () => {
    const stage = clientStage({ prompts: ['a', 'b'] }).say(start, end, start, end, start);
    expect(stage.sent()).toEqual([prompt('a'), prompt('b')]);
  });

  it('are followed by quit and the end of the link, when told so', () => {
    const stage = clientStage({ prompts: ['a', 'b'], quitAfterLast: true }).say(start, end);
    stage.take();
    expect(stage.say(start, end).did()).toEqual(['(turn)', 'quit', 'half_close']);
    expect(stage.say(approval('x'), start, end).did()).toEqual([]);
  });
});

describe('commands', () => {
  it('follow the turn of the last prompt, once, before quit (KODA-21, 78)', () => {
    const commands: EngineCommand[] = [{ type: 'slash_command', cmd: 'memory', action: null }];
    const stage = clientStage({ prompts: ['a', 'b'], commands, quitAfterLast: true }).say(start, end, start);
    expect(stage.sent()).toEqual([prompt('a'), prompt('b')]);
    expect(stage.say(end).sent()).toEqual([...commands, { type: 'quit' }]);
    const staying = clientStage({ commands }).say(start, end, start, end);
    expect(staying.sent()).toEqual([prompt('Hello.'), ...commands]);
    expect(clientStage({ prompts: [], commands }).link('full').link('drained').sent()).toEqual([]);
  });
});

describe('an engine that does not read', () => {
  it('gets the next prompt once it reads, and quit after the last turn only', () => {
    const stage = clientStage({ prompts: ['a', 'b'], quitAfterLast: true })
      .say(start)
      .link('full')
      .say(end);
    expect(stage.sent()).toEqual([prompt('a')]);
    expect(stage.link('drained').sent()).toEqual([prompt('b')]);
    expect(stage.say(start, end).sent()).toEqual([{ type: 'quit' }]);
  });
});

describe('an answer', () => {
  it.each<[Partial<ClientOptions>, EngineEvent, EngineCommand]>([
    [{}, approval('x'), { type: 'approval_response', id: 'x', decision: { decision: 'approve' } }],
    [
      { approval: 'reject' },
      approval('x'),
      { type: 'approval_response', id: 'x', decision: { decision: 'reject' } },
    ],
    [
      { approval: { feedback: 'no' } },
      approval('x'),
      {
        type: 'approval_response',
        id: 'x',
        decision: { decision: 'reject_with_feedback', feedback: 'no' },
      },
    ],
    [{}, question('q', 'a', 'b'), { type: 'ask_user_response', id: 'q', answer: 'a' }],
    [{}, question('q'), { type: 'ask_user_response', id: 'q', answer: '' }],
    [{ answer: 'c' }, question('q', 'a'), { type: 'ask_user_response', id: 'q', answer: 'c' }],
    [{}, cap, { type: 'loop_decision', action: 'continue200' }],
    [{ cap: 'stop' }, cap, { type: 'loop_decision', action: 'stop' }],
  ])('by %j to %j has the id of the request (KODA-55, 56, 57, 59, 63)', (options, request, answer) => {
    expect(inTurn(options).say(request).sent()).toEqual([answer]);
  });

  it('is sent once to a request that is repeated (KODA-58)', () => {
    const stage = inTurn().say(approval('x'), question('x'), approval('x'), question('x'));
    expect(stage.sent()).toHaveLength(2);
  });

  it('is sent to each cap: a cap has no id (KODA-57)', () => {
    expect(inTurn().say(cap, cap).sent()).toHaveLength(2);
  });

  it('may have the id of a request of an earlier turn (KODA-55)', () => {
    expect(inTurn().say(approval('x'), end, start, approval('x')).sent()).toHaveLength(2);
  });

  it('waits while the engine does not read, and is not sent after its turn_end (KODA-58)', () => {
    const stage = inTurn().link('full').say(approval('x'), cap);
    expect(stage.take()).toEqual([]);
    expect(stage.link('drained').did()).toEqual(['approval_response approve', 'loop_decision continue200']);
    stage.link('full').say(approval('y'), end);
    stage.take();
    expect(stage.link('drained').take()).toEqual([]);
  });
});

describe('lost events (KODA-61)', () => {
  it('a turn_start: an event of a turn begins one, whose requests are answered', () => {
    const stage = clientStage({ prompts: [] }).say(text, approval('x'));
    expect(stage.did()).toEqual(['approval_response approve']);
    expect(stage.work.locked).toBe(true);
    expect(
      clientStage({ prompts: ['a', 'b'] })
        .say(end)
        .sent(),
    ).toEqual([prompt('a'), prompt('b')]);
  });

  it('a turn_end: the next turn_start ends the turn, with its requests', () => {
    const stage = inTurn({ interactive: true }).say(approval('x'), start);
    stage.take();
    expect(stage.order({ do: 'send', message: prompt('y') }).sent()).toEqual([]);
    expect(stage.say(end).sent()).toEqual([prompt('y')]);
  });

  it('a prompt is not sent twice for a turn_end that comes twice', () => {
    const stage = clientStage({ prompts: ['a', 'b'] }).say(start, end);
    expect(stage.sent()).toHaveLength(2);
    const idle = clientStage({ prompts: [] }).say(end, { type: 'info', message: 'x' });
    expect(idle.work.locked).toBe(false);
    expect(clientStage({ prompts: [], quitAfterLast: true }).say(end).sent()).toEqual([]);
  });

  it('a message that cannot be read is dropped alone, unless told otherwise (KODA-65)', () => {
    const stage = inTurn();
    stage.give({ type: 'undecodable', peer: 's1', reason: 'unknown tag' });
    expect(stage.say(approval('x')).did()).toEqual(['(dropped)', 'approval_response approve']);
    const strict = inTurn({ unknownIsDropped: false });
    strict.give({ type: 'undecodable', peer: 's1', reason: 'unknown tag' });
    expect(strict.did()).toEqual(['(dropped)', 'close 3']);
  });
});

describe('an interrupt', () => {
  it('comes after a number of events of each turn, once', () => {
    const stage = inTurn({ interruptAfter: 3 });
    expect(stage.say(text).sent()).toEqual([]);
    expect(stage.say(text).sent()).toEqual([{ type: 'interrupt' }]);
    expect(stage.say(text, text, end, start, text).sent()).toEqual([]);
    expect(stage.say(text).sent()).toEqual([{ type: 'interrupt' }]);
  });

  it('stands in the place of the answer, when a request is that event', () => {
    expect(inTurn({ interruptAfter: 2 }).say(approval('x'), approval('y')).did()).toEqual([
      'interrupt',
      'approval_response approve',
    ]);
  });
});

describe('a person', () => {
  const person = (): ClientStage => clientStage({ interactive: true });
  const types = (stage: ClientStage, words: string): EngineCommand[] =>
    stage.order({ do: 'send', message: prompt(words) }).sent();

  it('gives the prompts; they wait for turn_end (KODA-62)', () => {
    const stage = person();
    expect(stage.take()).toEqual([]);
    expect(types(stage, 'a')).toEqual([prompt('a')]);
    expect(types(stage, 'b')).toEqual([]);
    expect(stage.say(start, end).sent()).toEqual([prompt('b')]);
  });

  it.each([
    ['y', { decision: 'approve' }],
    [' YES ', { decision: 'approve' }],
    ['n', { decision: 'reject' }],
    ['no', { decision: 'reject' }],
    ['', { decision: 'reject' }],
    ['use mv', { decision: 'reject_with_feedback', feedback: 'use mv' }],
  ])('decides about a call by %j', (words, decision) => {
    const stage = person().say(start, approval('x'));
    expect(stage.did()).toEqual(['(asked)']);
    expect(types(stage, words)).toEqual([{ type: 'approval_response', id: 'x', decision }]);
  });

  it.each([
    ['2', 'b'],
    ['3', '3'],
    ['0', '0'],
    ['a text', 'a text'],
    ['', ''],
  ])('answers a question by %j: a number picks an option', (words, answer) => {
    const stage = person().say(start, question('q', 'a', 'b'));
    expect(types(stage, words)).toEqual([{ type: 'ask_user_response', id: 'q', answer }]);
  });

  it.each([
    ['stop', 'stop'],
    ['50', 'continue50'],
    ['200', 'continue200'],
  ])('decides about a cap by %j; other words are asked again', (words, action) => {
    const stage = person().say(start, cap);
    stage.take();
    expect(stage.order({ do: 'send', message: prompt('more') }).did()).toEqual(['(asked)']);
    expect(types(stage, words)).toEqual([{ type: 'loop_decision', action }]);
  });

  it('answers requests in their order, each once (KODA-58)', () => {
    const stage = person().say(start, approval('x'), question('q'));
    stage.take();
    expect(types(stage, 'y')).toMatchObject([{ id: 'x' }]);
    expect(types(stage, 'z')).toMatchObject([{ id: 'q', answer: 'z' }]);
    expect(types(stage, 'a prompt')).toEqual([]);
    expect(stage.say(end).sent()).toEqual([prompt('a prompt')]);
  });

  it('does not answer after turn_end (KODA-58)', () => {
    const stage = person().say(start, approval('x'), end);
    expect(types(stage, 'y')).toEqual([prompt('y')]);
  });

  it('interrupts, and quits', () => {
    const stage = person();
    expect(stage.order({ do: 'send', message: prompt('/interrupt') }).did()).toEqual(['(idle)']);
    stage.say(start, approval('x'));
    expect(types(stage, '/interrupt')).toEqual([{ type: 'interrupt' }]);
    expect(types(stage, '/quit')).toEqual([{ type: 'quit' }]);
    expect(types(stage, 'y')).toEqual([]);
  });
});

describe('the client', () => {
  it('sends the messages of a scenario as they are', () => {
    const stage = inTurn();
    const message: EngineCommand = { type: 'loop_decision', action: 'stop' };
    expect(stage.order({ do: 'send', message }).sent()).toEqual([message]);
    expect(stage.order({ do: 'send', message: prompt('x') }).sent()).toEqual([prompt('x')]);
  });

  it('closes its link when the engine has half-closed it', () => {
    expect(inTurn().link('half_close').did()).toEqual(['close 0']);
  });
});
