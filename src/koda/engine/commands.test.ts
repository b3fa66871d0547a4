/** The slash commands of the reference engine, the end of its session, the commands of an operator, and bad messages. */
import { describe, expect, it } from 'vitest';
import { engineStage, promptOf, told } from '../link/stage.test-helper.ts';
import type { EngineStage } from '../link/stage.test-helper.ts';
import type { SlashCommand } from '../messages.ts';

const slash = (stage: EngineStage, command: SlashCommand): EngineStage =>
  stage.say({ type: 'slash_command', ...command });

describe('a slash command', () => {
  it.each<[SlashCommand, object]>([
    [
      { cmd: 'switch_model', model: 'm' },
      { model: 'm', provider: 'wireproof', approval_mode: 'ask' },
    ],
    [
      { cmd: 'switch_provider', provider: 'p' },
      { model: 'reference', provider: 'p', approval_mode: 'ask' },
    ],
    [
      { cmd: 'set_trust', mode: 'safe' },
      { model: 'reference', provider: 'wireproof', approval_mode: 'safe' },
    ],
  ])('%j changes the status, and sends it', (command, status) => {
    const stage = slash(engineStage(), command);
    const expected = [{ type: 'status_update', ...status, context_pct: 100 / 32_000, active_tools: 0 }];
    expect(stage.sent()).toEqual(expected);
    const [later] = stage
      .say(promptOf('x'), promptOf('{"wireproof":{"do":[{"tool":{"name":"a"}}]}}'))
      .sentOf('status_update');
    expect(later).toMatchObject(status);
  });

  it('with a very long name has a short status (KODA-80: a message fits into 1 MiB)', () => {
    const [status] = slash(engineStage(), { cmd: 'switch_model', model: 'x'.repeat(1e6) }).sentOf(
      'status_update',
    );
    expect(status?.model).toHaveLength(201);
  });

  it.each<[SlashCommand, RegExp]>([
    [{ cmd: 'list_sessions' }, /s1/],
    [{ cmd: 'delete_session', id: 'abc' }, /abc/],
    [{ cmd: 'cost' }, /15 read, 7 written/],
    [{ cmd: 'help' }, /compact.*switch_provider/],
    [{ cmd: 'memory', action: null }, /empty/],
    [{ cmd: 'memory', action: 'save' }, /save/],
  ])('%j is answered by an info', (command, words) => {
    const stage = told({ usage: { prompt_tokens: 15, completion_tokens: 7 } });
    stage.take();
    const events = slash(stage, command).sent();
    expect(events).toEqual([{ type: 'info', message: expect.stringMatching(words) }]);
  });

  it('compact sends a smaller context_usage, but not while a turn runs (KODA-28)', () => {
    expect(slash(engineStage(), { cmd: 'compact' }).did()).toEqual(['context_usage 50']);
    const stage = told({ cancel_point: true });
    stage.take();
    expect(
      slash(stage, { cmd: 'compact' })
        .sent()
        .map(({ type }) => type),
    ).toEqual(['info']);
  });

  it('inject_prompt is a prompt', () => {
    const stage = slash(engineStage(), { cmd: 'inject_prompt', text: 'hi' });
    expect(stage.did()).toContain('text_delta You said: hi');
  });
});

describe('the end of a session', () => {
  it('by quit cancels the turn, drops the prompts that wait, and closes the link (KODA-23)', () => {
    const stage = told({ say: 'a' }, { cancel_point: true }).say(promptOf('never'));
    stage.take();
    expect(stage.say({ type: 'quit' }).did()).toEqual(['text_done', 'turn_end cancelled', 'close 0']);
    expect(stage.state.open.size).toBe(0);
    expect(stage.say(promptOf('x')).did()).toEqual([]);
    expect(engineStage().say({ type: 'quit' }).did()).toEqual(['close 0']);
  });

  it('by a shutdown is the same; by an end the link is closed at once', () => {
    const stage = told({ cancel_point: true });
    stage.take();
    expect(stage.order({ do: 'shutdown' }).did()).toEqual(['turn_end cancelled', 'close 0']);
    const other = told({ cancel_point: true });
    other.take();
    expect(other.order({ do: 'end', status: { code: 14, message: 'x' } }).did()).toEqual(['close 14']);
  });
});

describe('the engine', () => {
  it('drops a message that cannot be read, and goes on (KODA-65)', () => {
    const stage = told({ tool: { name: 'x', approval: {} } });
    stage.take();
    stage.give({ type: 'undecodable', peer: 's1', reason: 'unknown tag', code: 'bad-tag' });
    expect(stage.did()).toEqual(['(dropped)']);
    expect(stage.work.turn?.wait.on).toBe('approval');
  });

  it('sends the messages and the bytes of a scenario as they are, on its newest link', () => {
    const stage = engineStage();
    const message = { type: 'turn_end', turn_id: 't', reason: { kind: 'complete' } } as const;
    stage.order({ do: 'send', message }).order({ do: 'raw', bytes: new Uint8Array([1]) });
    expect(stage.take()).toEqual([
      { type: 'send', peer: 's1', message },
      { type: 'send_raw', peer: 's1', bytes: new Uint8Array([1]) },
    ]);
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    expect(stage.order({ do: 'send', message }).take()).toEqual([{ type: 'send', peer: 's2', message }]);
    stage.give({ type: 'opened', peer: 's1', metadata: {} });
    expect(stage.order({ do: 'send', message }).take()).toEqual([{ type: 'send', peer: 's1', message }]);
  });

  it('keeps the commands of a scenario until a link opens', () => {
    const stage = engineStage().link('left');
    stage.order({ do: 'send', message: { type: 'info', message: 'a' } });
    expect(stage.did()).toEqual([]);
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    expect(stage.did()).toEqual(['info a']);
  });
});
