/**
 * The choice of the turn, compared with llm.md ("a turn answers one request, chosen by order or by a match on the
 * request").
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { anyRequest, anyScript } from '../arbitrary/answer.ts';
import { transcriptOf } from './generation.ts';
import { scriptPlayer } from './player.ts';
import type { PlayerState } from './conversations.ts';
import type { Played, Player } from './player.ts';
import { checkScript } from '../script/check.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';
import type { Generation, LlmRequest } from '../messages.ts';

const request = (more: Partial<LlmRequest> = {}): LlmRequest => ({
  dialect: 'ollama',
  model: 'm',
  messages: [{ role: 'user', content: 'what is the weather?' }],
  tools: [],
  stream: true,
  includeUsage: true,
  ...more,
});

const playerOf = (turns: readonly JsonObject[], tokenizer?: Tokenizer): Player => {
  const checked = checkScript({ turns: turns.map((turn) => ({ steps: [{ text: 'x' }], ...turn })) });
  if (!checked.ok) throw new Error(checked.error.message);
  return scriptPlayer(checked.value, { random: seededRandom, ...(tokenizer && { tokenizer }) });
};

/** The turns that answer these requests, from 0. Undefined when no turn does. */
const turnsFor = (player: Player, requests: readonly LlmRequest[]): (number | undefined)[] => {
  let state: PlayerState = player.start();
  return requests.map((each) => {
    const played = player.answer(state, each);
    state = played.state;
    return played.index;
  });
};

const refusalOf = (player: Player, requests: readonly LlmRequest[]): unknown => {
  let state = player.start();
  let last: Played | undefined;
  for (const each of requests) ({ state } = last = player.answer(state, each));
  return last !== undefined && 'error' in last ? last.error : undefined;
};

const generationOf = (played: Played): Generation => {
  if ('error' in played) throw new Error(played.error.message);
  return played.generation;
};

describe('turns', () => {
  it('answer in order, each as often as its times', () => {
    const player = playerOf([{}, { times: 2 }, { times: 'always' }]);
    const seven = Array.from({ length: 7 }, () => request());
    expect(turnsFor(player, seven)).toEqual([0, 1, 1, 2, 2, 2, 2]);
  });

  const called: LlmRequest['messages'] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', input: {} }] },
    { role: 'user', content: '', toolResults: [{ id: 'c1', content: 'sunny', isError: false }] },
  ];
  const leapt: LlmRequest['messages'] = [
    { role: 'assistant', content: '', toolCalls: [{ id: 'c2', name: 'leap', input: {} }] },
    { role: 'user', content: '', toolResults: [{ id: 'c2', content: 'far', isError: false }] },
  ];
  const tools = [{ name: 'look', inputSchema: {} }];
  it.each<[string, JsonObject, Partial<LlmRequest>, boolean]>([
    ['dialect', { dialect: 'ollama' }, {}, true],
    ['another dialect', { dialect: 'anthropic' }, {}, false],
    ['model', { model: 'm' }, {}, true],
    ['another model', { model: 'n' }, {}, false],
    ['text in the last user message', { contains: 'weather' }, {}, true],
    ['text in its tool result', { contains: 'sunny' }, { messages: called }, true],
    ['text that is only in an earlier message', { contains: 'go' }, { messages: called }, false],
    ['a result by its call’s id', { tool_result: 'c1' }, { messages: called }, true],
    ['a result by its tool’s name', { tool_result: 'look' }, { messages: called }, true],
    ['a missing result', { tool_result: 'look' }, { messages: called.slice(0, 2) }, false],
    ['a result that came earlier', { tool_result: 'look' }, { messages: [...called, ...leapt] }, false],
    ['streaming', { stream: false }, {}, false],
    ['tools that are offered', { tools: ['look'] }, { tools }, true],
    ['tools of which one is not offered', { tools: ['look', 'leap'] }, { tools }, false],
    ['a pattern', { pattern: '^what .* weather' }, {}, true],
    ['a pattern with flags', { pattern: '/WEATHER/i' }, {}, true],
    ['a pattern of a tool result', { pattern: '^sun' }, { messages: called }, true],
    ['a pattern that does not fit', { pattern: '^weather' }, {}, false],
    ['system text', { system: 'brief' }, { system: 'Be brief.' }, true],
    [
      'system text among the messages',
      { system: 'brief' },
      { messages: [{ role: 'system', content: 'Be brief.' }] },
      true,
    ],
    ['system text that is not there', { system: 'brief' }, {}, false],
    ['no tools', { offers_tools: false }, {}, true],
    ['no tools, where some are offered', { offers_tools: false }, { tools }, false],
    ['any tools', { offers_tools: true }, { tools }, true],
    ['the first request of a conversation', { turn_index: 0 }, {}, true],
    ['the second request of a conversation', { turn_index: 1 }, { messages: called }, true],
    ['the first request, which this is not', { turn_index: 0 }, { messages: called }, false],
    ['several conditions, one of which fails', { model: 'm', stream: false }, {}, false],
    ['nothing', {}, {}, true],
  ])('match by %s', (_, match, more, fits) => {
    expect(turnsFor(playerOf([{ match }]), [request(more)])).toEqual([fits ? 0 : undefined]);
  });

  it('that match are used in the order of the script, whatever comes before them', () => {
    const player = playerOf([{ match: { contains: 'b' } }, { match: { contains: 'a' } }, {}]);
    const say = (content: string): LlmRequest => request({ messages: [{ role: 'user', content }] });
    expect(turnsFor(player, [say('a'), say('a'), say('b'), say('b')])).toEqual([1, 2, 0, undefined]);
  });
});

describe('a request that no turn answers', () => {
  it('is refused with the number of turns and of the request', () => {
    expect(refusalOf(playerOf([{}]), [request(), request()])).toEqual({
      type: 'invalid_request',
      status: 400,
      message:
        'the script has 1 turn and this is request 2; all of them are used up; add a turn, or say times: always',
    });
  });

  it('is refused with the conditions of the remaining turns', () => {
    const player = playerOf([{ match: { contains: 'sun' } }, { match: { tools: ['look'] } }]);
    expect(refusalOf(player, [request()])).toMatchObject({
      message: expect.stringContaining(
        'turn 1 wants "sun" in the last user message; turn 2 wants the tool look',
      ) as string,
    });
  });

  it('is counted, and changes nothing else', () => {
    const player = playerOf([{ match: { contains: 'sun' } }]);
    const { state } = player.answer(player.start(), request());
    expect(state).toEqual({ requests: 1, used: [0] });
  });
});

describe('an answer', () => {
  it('is an error when the first step is an error', () => {
    const error = { type: 'overloaded', message: 'busy', status: 529 };
    expect(refusalOf(playerOf([{ steps: [{ error }] }]), [request()])).toEqual(error);
  });

  it('is the same for the same seed, script and requests, and its states are not changed', () => {
    fc.assert(
      fc.property(anyScript, fc.array(anyRequest('ollama'), { maxLength: 4 }), (script, requests) => {
        const play = (): unknown[] => {
          const player = scriptPlayer(script, { random: seededRandom });
          let state = player.start();
          return requests.map((each) => {
            const before = structuredClone(state);
            const { state: next, ...played } = player.answer(state, each);
            expect(state).toEqual(before);
            state = next;
            return 'error' in played
              ? played
              : [[...played.generation.steps], played.index, played.generation.end];
          });
        };
        expect(play()).toEqual(play());
      }),
    );
  });

  it('has other pauses for each request', () => {
    const player = playerOf([
      { steps: [{ text: 'x'.repeat(200) }], delay: '50ms', jitter: '40ms', times: 'always' },
    ]);
    const waits = (requests: number): number[] => {
      const { steps } = generationOf(player.answer({ requests, used: [0] }, request()));
      return [...steps].flatMap((step) => (step.do === 'wait' ? [step.ms] : []));
    };
    expect(waits(0)).toHaveLength(49);
    expect(waits(0)).not.toEqual(waits(1));
  });

  it('gives each call without id a unique id in the form of the dialect', () => {
    const call = { tool_call: { name: 'a', input: {} } };
    const played = playerOf([{ steps: [call, call] }]).answer(
      { requests: 0, used: [0] },
      request({ dialect: 'anthropic' }),
    );
    const ids = transcriptOf(generationOf(played)).toolCalls.map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^toolu_\w{24}$/), expect.stringMatching(/^toolu_\w{24}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('counts with the given tokenizer', () => {
    const words: Tokenizer = {
      count: (text) => text.split(' ').length,
      pieces: (text) => text.split(/(?<= )/),
    };
    const played = playerOf([{ steps: [{ text: 'one two three' }] }], words).answer(
      { requests: 0, used: [0] },
      request({ maxTokens: 2 }),
    );
    expect(transcriptOf(generationOf(played))).toMatchObject({
      text: 'one two ',
      stop: 'max_tokens',
      usage: { inputTokens: 4, outputTokens: 2 },
    });
  });
});
