/** What waits for a block, and what does not: spec/sep/README.md, "Blocks". */
import { describe, expect, it } from 'vitest';
import { CallQueue } from '../call-queue.ts';
import { scriptedProviders } from '../providers.ts';
import { Runner } from '../runner.ts';
import type { TimedEvent } from '../runner.ts';
import { act, all, eventsOf, inShort, play } from './play.test-helper.ts';

const providers = { one: [{ after: 1, output: 1 }], echo: [{ output: 'e' }] };
const one = act('a', { name: 'one' }, { mode: 'async' });
const echo = act('x', { name: 'echo' });

/** The text of the responses to an output in pieces. */
const saidBy = (pieces: readonly string[]): string =>
  eventsOf('', { iterations: [pieces], providers })
    .flatMap((event) => (event.type === 'response' ? [event.text] : []))
    .join('');

describe('behind a block that waits', () => {
  it('a final response waits, and what comes after it is ignored', () => {
    expect(
      play(`${one}<if test="$a == 1">${echo}</if><response>end</response>${act('late')}`, { providers }),
    ).toEqual([
      'started a {}',
      'after-final',
      'completed a 1',
      '$a == 1: true',
      'started x {}',
      'completed x "e"',
      'response end',
      'final',
    ]);
  });

  it('a context feed and a diagnostic do not wait; those in it do, and a diagnostic does not', () => {
    const output = `${one}<if test="$a"><context_feed id="in">f</context_feed><action id="y">{</action></if><context_feed id="out">f</context_feed>`;
    const seen = eventsOf(output, { providers }).flatMap((event) => {
      if (event.type === 'context_feed') return [`${event.id} ${event.at}`];
      return event.type === 'diagnostic' && event.code === 'body-json' ? [`body-json ${event.at}`] : [];
    });
    expect(seen).toEqual(['body-json 0', 'out 0', 'in 1']);
  });

  it('blocks wait for each other in their order', () => {
    const second = act('b', { name: 'one' });
    expect(
      play(
        `${one}<if test="$a">${second}</if><if test="$b"><thought>b</thought></if><thought>out</thought>`,
        { providers },
      ),
    ).toEqual([
      'started a {}',
      'thought out',
      'completed a 1',
      '$a: true',
      'started b {}',
      'completed b 1',
      '$b: true',
      'thought b',
      'max_iterations',
    ]);
  });

  it('all is skipped when the run is cancelled, or an action ends it', () => {
    const queue = new CallQueue();
    const events: TimedEvent[] = [];
    const runner = new Runner({
      clock: queue,
      extensions: all,
      providers: scriptedProviders(providers),
      onEvent: (event) => void events.push(event),
    });
    runner.begin();
    runner.write(`${one}<if test="$a">${echo}</if>`);
    runner.cancel();
    while (queue.runNext());
    expect(inShort(events)).toEqual(['started a {}', 'failed a', 'cancelled']);
    const failing = act('a', { name: 'nobody', on_error: 'fail' });
    expect(
      play(`${failing}<if test="$a">${echo}</if><foreach in="$a">${echo}</foreach>`, { providers }),
    ).toEqual(['started a {}', 'failed a', 'failed']);
  });

  it('an action that ends the run in a round leaves no further one', () => {
    const failing = act('x', { name: 'nobody', on_error: 'fail' });
    expect(play(`<foreach in="[1, 2]">${failing}</foreach>`, { providers })).toEqual([
      '2 rounds of [1, 2]',
      'started x_0 {}',
      'failed x_0',
      'skipped x_1 because of x_0',
      'skipped x because of x_0',
      'failed',
    ]);
  });
});

describe('a block that names a variable', () => {
  const set = (value: string, name = 'v'): string =>
    act(
      `set${value}`.replace(/\W/g, ''),
      { name: 'set_variable', parameters: { name, value } },
      { type: 'internal' },
    );

  it('waits for the action that sets it, also behind a sync one, and in rounds', () => {
    const sync = act('a', { name: 'one' });
    const output = `${sync}${set('x')}<if test="$v == 'x'"><thought>set</thought></if>`;
    expect(play(output, { providers })).toContain('thought set');
    const rounds = `<foreach in="['p', 'q']">${sync}${set('$item')}<if test="$v == $item"><response final="false">$index;</response></if></foreach>`;
    expect(saidBy([rounds])).toBe('0;1;');
    expect(saidBy([`${one}<if test="$a">${rounds}</if>`])).toBe('0;1;');
  });

  it('does not wait for one that sets another', () => {
    const output = `${act('a', { name: 'one' })}${set('x', 'other')}<if test="not defined $v"><thought>free</thought></if>`;
    expect(eventsOf(output, { providers }).find(({ type }) => type === 'thought')).toMatchObject({ at: 0 });
  });
});

describe('without a right tag', () => {
  it('a group without its end ends with the output', () => {
    expect(play(`<parallel id="g">${echo}`, { providers })).toEqual([
      'started x {}',
      'unclosed-block',
      'completed x "e"',
      'started g {}',
      'completed g {"x":"e"}',
      'max_iterations',
    ]);
  });

  it('a loop has its own names by default, also instead of what is no name', () => {
    for (const attributes of ['', 'as="" index=""', 'as="$v" index="2"']) {
      const body = '<response final="false">$index: $item</response>';
      expect(saidBy([`<foreach in="[7]" ${attributes}>${body}</foreach>`])).toBe('0: 7');
    }
  });
});

it('each part of a text counts once, however it is cut', () => {
  const output = `${one}<if test="$a"><response final="false">a long text with $a in it</response></if><foreach in="$a"></foreach><response>end</response>`;
  expect(saidBy(output.split(''))).toBe('a long text with 1 in itend');
  expect(saidBy([output])).toBe('a long text with 1 in itend');
});
