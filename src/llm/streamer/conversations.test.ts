/** Which turn answers which request, where several conversations use one script. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../kit/world/index.ts';
import { script } from '../script/builder.ts';
import type { ScriptBuilder } from '../script/builder.ts';
import type { Conversations } from '../script/script.ts';
import { mostConversations } from './conversations.ts';
import { transcriptOf } from './generation.ts';
import { scriptPlayer } from './player.ts';
import type { PlayerState } from './conversations.ts';
import type { Player } from './player.ts';
import type { LlmMessage, LlmRequest } from '../messages.ts';

/** A server with a script. Answers are over at once. */
class Server {
  readonly player: Player;
  state: PlayerState;

  constructor(built: ScriptBuilder) {
    this.player = scriptPlayer(built.build(), { random: seededRandom });
    this.state = this.player.start();
  }

  /** The turn that answers, and the messages for the next request. */
  ask(messages: readonly LlmMessage[], isOpen?: (n: number) => boolean): Asked {
    const request: LlmRequest = {
      dialect: 'anthropic',
      model: 'm',
      messages,
      tools: [],
      stream: true,
      includeUsage: true,
    };
    const played = this.player.answer(this.state, request, isOpen);
    this.state = played.state;
    if ('error' in played) return { turn: played.index, error: played.error.message, next: messages };
    const { text, toolCalls } = transcriptOf(played.generation);
    const results = toolCalls.map(({ id }) => ({ id, content: 'ok', isError: false }));
    const answer: LlmMessage = {
      role: 'assistant',
      content: text,
      ...(toolCalls.length > 0 && { toolCalls }),
    };
    const reply: LlmMessage =
      results.length === 0
        ? { role: 'user', content: 'go on' }
        : { role: 'user', content: '', toolResults: results };
    return { turn: played.index, next: [...messages, answer, reply] };
  }
}

interface Asked {
  readonly turn: number | undefined;
  readonly next: readonly LlmMessage[];
  readonly error?: string;
}

const hi: readonly LlmMessage[] = [{ role: 'user', content: 'Hi' }];
const agent = (conversations: Conversations = 'auto'): ScriptBuilder =>
  script({ conversations }).toolCall('look', {}).turn().toolCall('leap', {}).turn().text('Done.');
const chat = (conversations: Conversations): ScriptBuilder =>
  script({ conversations }).text('One').turn().text('Two').turn().text('Three');

/** Conversations in lock step: the turns that each of them gets. */
function inStep(server: Server, count: number, rounds: number, isOpen?: (n: number) => boolean): unknown {
  const turns: (number | undefined)[][] = Array.from({ length: count }, () => []);
  let asking = Array.from({ length: count }, () => hi);
  for (let round = 0; round < rounds; round++)
    asking = asking.map((messages, i) => {
      const { turn, next } = server.ask(messages, isOpen);
      turns[i]?.push(turn);
      return [...next];
    });
  return turns;
}

describe('five equal conversations', () => {
  it.each<[string, ScriptBuilder, boolean]>([
    ['of agents', agent(), false],
    ['whose answers are still being sent', chat('auto'), true],
    ['of a script that says each', chat('each'), false],
  ])('%s get all turns in order', (_, built, open) => {
    expect(inStep(new Server(built), 5, 3, () => open)).toEqual(Array.from({ length: 5 }, () => [0, 1, 2]));
  });

  it('take the turns in the order of their requests where the script says one', () => {
    expect(inStep(new Server(agent('one')), 3, 2)).toEqual([
      [0, undefined],
      [1, undefined],
      [2, undefined],
    ]);
  });

  it('one after the other get all turns in order, once the first has gone on', () => {
    const server = new Server(chat('auto'));
    expect([inStep(server, 1, 3), inStep(server, 1, 3)]).toEqual([[[0, 1, 2]], [[0, 1, 2]]]);
  });

  it('count the times of a turn each for itself', () => {
    const server = new Server(script().toolCall('look', {}).times(2).turn().text('Done.'));
    expect(inStep(server, 3, 3)).toEqual(Array.from({ length: 3 }, () => [0, 0, 1]));
  });
});

describe('one conversation', () => {
  it('tries again after an error, a reset and a cut, and goes on in the script', () => {
    const built = script({ conversations: 'each' })
      .error({ type: 'overloaded', message: 'busy', status: 529 })
      .turn()
      .text('abc')
      .with({ transport: 'reset', signal: 'missing' })
      .turn()
      .toolCall('look', { a: 'long text' })
      .cutAt({ json: 'inside-string' })
      .turn()
      .text('Done.');
    const server = new Server(built);
    expect([1, 2, 3, 4].map(() => server.ask(hi).turn)).toEqual([0, 1, 2, 3]);
  });

  it('goes on behind an answer that was cut', () => {
    const server = new Server(
      script({ conversations: 'each' }).text('abc').stop('max_tokens').turn().text('d'),
    );
    expect(server.ask(server.ask(hi).next).turn).toBe(1);
  });

  it('asks the same once more, and gets the next turn', () => {
    const server = new Server(agent());
    const { next } = server.ask(hi);
    expect([server.ask(next).turn, server.ask(next).turn]).toEqual([1, 2]);
  });

  it('that the client left can be repeated', () => {
    const server = new Server(agent());
    server.ask(hi);
    server.state = server.player.interrupted(server.state, 1);
    expect(server.ask(hi).turn).toBe(1);
  });

  it('is known by its last answer where its beginning was compacted', () => {
    const server = new Server(agent('each'));
    const second = server.ask(server.ask(hi).next).next;
    expect(server.ask([{ role: 'user', content: 'Summary' }, ...second.slice(3)]).turn).toBe(2);
  });

  it('with other words beside it has turns of its own where the script says each', () => {
    const server = new Server(agent('each'));
    const { next } = server.ask(hi);
    expect(server.ask([{ role: 'user', content: 'A title, please' }]).turn).toBe(0);
    expect(server.ask(next).turn).toBe(1);
  });

  it('names its own request in a refusal', () => {
    const server = new Server(chat('each'));
    let { next } = server.ask(hi);
    for (let i = 0; i < 2; i++) ({ next } = server.ask(next));
    expect(server.ask(next).error).toContain('this is request 4 of its conversation');
  });
});

it('a predicate that fails is named in the refusal', () => {
  const server = new Server(
    script()
      .when(() => {
        throw new Error('oops');
      })
      .text('x'),
  );
  expect(server.ask(hi).error).toContain('turn 1 wants a predicate that does not fail (oops)');
});

describe('requests that differ', () => {
  it('take the turns in their order', () => {
    const server = new Server(agent());
    const say = (content: string): readonly LlmMessage[] => [{ role: 'user', content }];
    expect(['a', 'b', 'c'].map((text) => server.ask(say(text)).turn)).toEqual([0, 1, 2]);
  });
});

it('the oldest conversations are forgotten', () => {
  const server = new Server(script({ conversations: 'each' }).text('One').turn().text('Two'));
  for (let i = 0; i < mostConversations + 10; i++) server.ask([{ role: 'user', content: `${i}` }]);
  expect(server.state.conversations).toHaveLength(mostConversations);
});
