/** Calls of custom tools in scripts: their words, and the refusal of words that free text does not have. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { scriptPlayer } from '../streamer/player.ts';
import { transcriptOf } from '../streamer/generation.ts';
import type { GenerationTranscript } from '../streamer/generation.ts';
import type { DialectName, LlmRequest } from '../messages.ts';
import { script } from './builder.ts';
import { checkScript } from './check.ts';

const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch';
const call = { name: 'apply_patch', custom: true, arguments: patch };

const refusalOf = (step: Json, turn: JsonObject = {}): string | undefined => {
  const checked = checkScript({ turns: [{ ...turn, steps: [step] }] });
  return checked.ok ? undefined : `${checked.error.path}: ${checked.error.message}`;
};

describe('a call of a custom tool', () => {
  it('has the same words in code and in a document', () => {
    const built = script()
      .match({ customTools: ['apply_patch'] })
      .customToolCall('apply_patch', patch)
      .build();
    const document = { turns: [{ match: { custom_tools: ['apply_patch'] }, steps: [{ tool_call: call }] }] };
    expect(checkScript(document)).toEqual({ ok: true, value: built });
    expect(built.turns[0]?.steps).toEqual([{ do: 'tool_call', ...call }]);
  });

  it('has a text as arguments, and no input', () => {
    expect(refusalOf({ tool_call: { name: 'apply_patch', custom: true, input: { path: 'a' } } })).toBe(
      'turns[0].steps[0].tool_call: expected a text in arguments, because a custom tool has no JSON input; came input',
    );
    expect(refusalOf({ tool_call: { ...call, name: '*' } })).toMatch(
      /^turns\[0\]\.steps\[0\]\.tool_call\.name: /,
    );
    expect(refusalOf({ tool_call: { ...call, custom: false } })).toMatch(/custom/);
  });

  it('may be in a namespace, as a call of a function', () => {
    const named = { tool_call: { name: 'find', namespace: 'crm', input: {} } };
    expect(refusalOf(named)).toBeUndefined();
    expect(refusalOf({ tool_call: { ...call, namespace: 'files' } })).toBeUndefined();
  });

  it('can be cut at a byte, a character or a token, but at no JSON place', () => {
    for (const at of [{ byte: 20 }, { char: patch.length }, { token: 3 }])
      expect(refusalOf({ tool_call: call }, { cut: { step: 0, at } })).toBeUndefined();
    expect(
      refusalOf(
        { tool_call: { ...call, arguments: '{"a":"b"}' } },
        { cut: { step: 0, at: { json: 'inside-string' } } },
      ),
    ).toBe(
      'turns[0].cut.at: expected a byte, char or token: only a tool_call has JSON places, and a custom one has none; came a custom tool_call',
    );
  });
});

/** The answer of a script to a request in a dialect. */
function played(
  document: JsonObject,
  dialect: DialectName,
  more: Partial<LlmRequest> = {},
): GenerationTranscript {
  const checked = checkScript({ turns: [document] });
  if (!checked.ok) throw new Error(checked.error.message);
  const player = scriptPlayer(checked.value, { random: seededRandom });
  const { generation } = {
    generation: undefined,
    ...player.answer(player.start(), {
      dialect,
      model: 'm',
      messages: [{ role: 'user', content: 'Patch it.' }],
      tools: [],
      stream: true,
      includeUsage: true,
      ...more,
    }),
  };
  if (generation === undefined) throw new Error('expected an answer');
  return transcriptOf(generation);
}

const steps = [{ text: 'So.' }, { tool_call: { ...call, id: 'c1' } }];

describe('an answer with a call of a custom tool', () => {
  it('has it in the dialects with custom tools; the others skip it, as they skip server_tool', () => {
    for (const dialect of ['openai-chat', 'openai-responses'] as const)
      expect(played({ steps }, dialect)).toMatchObject({
        toolCalls: [{ id: 'c1', name: 'apply_patch', input: patch, custom: true }],
        stop: 'tool_use',
      });
    for (const dialect of ['anthropic', 'ollama', 'lmstudio'] as const)
      expect(played({ steps }, dialect)).toMatchObject({ text: 'So.', toolCalls: [], stop: 'end_turn' });
    expect(played({ steps }, 'openai-chat', { face: 'openai-completions' })).toMatchObject({ toolCalls: [] });
  });

  it('is cut by a cut and by the limit, and its text is then open', () => {
    const open = { id: 'c1', name: 'apply_patch', partial: patch.slice(0, 20), custom: true };
    const cut = { step: 1, at: { char: 20 } };
    expect(played({ steps, cut }, 'openai-chat')).toMatchObject({ open, toolCalls: [], stop: 'max_tokens' });
    // One token of text, then five of four characters each.
    expect(played({ steps }, 'openai-chat', { maxTokens: 6 })).toMatchObject({ open, stop: 'max_tokens' });
    // Behind its last character it is cut, too.
    const whole = { step: 1, at: { char: patch.length } };
    expect(played({ steps, cut: whole }, 'openai-chat').open).toMatchObject({ partial: patch });
  });

  it('goes to requests that offer the tool as a custom one', () => {
    const turn = { match: { custom_tools: ['apply_patch'] }, steps };
    const offers = (custom: { readonly custom?: true }) => ({
      tools: [{ name: 'apply_patch', inputSchema: {}, ...custom }],
    });
    expect(played(turn, 'openai-chat', offers({ custom: true })).toolCalls).toHaveLength(1);
    expect(() => played(turn, 'openai-chat', offers({}))).toThrow('expected an answer');
  });
});
