/** Loops in a run: spec/sep/README.md, "Blocks". */
import { describe, expect, it } from 'vitest';
import { playRun } from '../scripted-run.ts';
import { act, all, eventsOf, play } from './play.test-helper.ts';

const providers = {
  list: [{ after: 1, output: ['x', 'y'] }],
  no: [{ after: 1, error: 'no' }],
  echo: [{ output: 'e0' }, { output: 'e1' }, { output: 'e2' }, { output: 'e3' }],
  once: [{ output: 1 }, { error: 'no' }],
};
const list = act('l', { name: 'list' });
const echo = (id: string, body: object = {}, mode = 'sync'): string =>
  act(id, { name: 'echo', ...body }, { mode });
const outputsOf = (output: string, script = {}): object =>
  Object.fromEntries(
    eventsOf(output, { providers, ...script }).flatMap((event) =>
      event.type === 'completed' ? [[event.id, event.output]] : [],
    ),
  );

describe('a loop', () => {
  it('counts once for each item, in the order of the list, when its list is there', () => {
    const body = echo('x', { parameters: { p: '$item', text: '$index. $item $$item' }, output_key: 'k' });
    const late = act('l', { name: 'list' }, { mode: 'async' });
    expect(play(`${late}<foreach in="$l">${body}</foreach><thought>t</thought>`, { providers })).toEqual([
      'started l {}',
      'thought t',
      'completed l ["x","y"]',
      '2 rounds of $l',
      'started x_0 {"p":"x","text":"0. x $item"}',
      'completed x_0 "e0"',
      'started x_1 {"p":"y","text":"1. y $item"}',
      'completed x_1 "e1"',
      'started x {}',
      'completed x ["e0","e1"]',
      'max_iterations',
    ]);
  });

  it('means by the ids and output keys in it those of the round, and gathers both behind it', () => {
    const body = `${echo('x', { output_key: 'k' })}${echo('y', { depends_on: ['x', 'l'], parameters: { k: '$k', x: 'is $x' } })}<response final="false">$k $x;</response>`;
    const { events, variables } = playRun({
      iterations: [[`${list}<foreach in="$l">${body}</foreach><response>$k $y</response>`]],
      providers,
      extensions: all,
    });
    expect(events.flatMap((event) => (event.type === 'action' ? [event.action] : []))).toMatchObject([
      { id: 'l' },
      { id: 'x_0', output_key: 'k_0', depends_on: [] },
      { id: 'y_0', depends_on: ['x_0', 'l'], parameters: { k: '$k_0', x: 'is $x_0' } },
      { id: 'x_1', output_key: 'k_1', depends_on: [] },
      { id: 'y_1', depends_on: ['x_1', 'l'], parameters: { k: '$k_1', x: 'is $x_1' } },
      {
        id: 'x',
        type: 'internal',
        name: 'gather',
        mode: 'async',
        output_key: 'k',
        depends_on: ['x_0', 'x_1'],
      },
      { id: 'y', type: 'internal', name: 'gather', mode: 'async', depends_on: ['y_0', 'y_1'] },
    ]);
    const said = events.flatMap((event) => (event.type === 'response' ? [event.text] : [])).join('');
    expect(said).toBe('e0 e0;e2 e2;["e0","e2"] ["e1","e3"]');
    expect(variables).toMatchObject({ k: ['e0', 'e2'], k_0: 'e0', k_1: 'e2', x: ['e0', 'e2'] });
  });

  it('puts items in as data: no reference in them is read', () => {
    const body = `${echo('x', { parameters: { p: '$item', text: '> $item' } })}<response final="false">$item</response>`;
    const variables = { items: ['$secret', { deep: '$secret' }], secret: 's' };
    const events = eventsOf(`<foreach in="$items">${body}</foreach>`, { providers, variables });
    const started = events.flatMap((event) =>
      event.type === 'started' && event.id !== 'x' ? [event.parameters] : [],
    );
    expect(started).toEqual([
      { p: '$secret', text: '> $secret' },
      { p: { deep: '$secret' }, text: '> {"deep":"$secret"}' },
    ]);
    expect(events.flatMap((event) => (event.type === 'response' ? [event.text] : []))).toEqual([
      '$secret',
      '{"deep":"$secret"}',
    ]);
    expect(events.find(({ type }) => type === 'action')).toMatchObject({ values: { item: '$secret' } });
  });

  it('takes its own names before all others, also the ids of actions', () => {
    const loop = `<foreach in="[7]" as="l" index="x">${echo('x', { parameters: { p: ['$l', '$x'] } })}</foreach>`;
    expect(play(`${list}${loop}`, { providers })).toContain('started x_0 {"p":[7,0]}');
  });

  it('inside of a loop has actions with two numbers, and gathers them for each outer round', () => {
    const inner = `<foreach in="$item" as="i">${echo('x', { parameters: { p: '$i' } })}</foreach>`;
    const output = `<foreach in="[[1, 2], [3]]">${inner}<if test="$index == 1 and $x">${echo('y', { depends_on: ['x'] })}</if></foreach>`;
    expect(outputsOf(output)).toEqual({
      x_0_0: 'e0',
      x_0_1: 'e1',
      x_0: ['e0', 'e1'],
      x_1_0: 'e2',
      x_1: ['e2'],
      y_1: 'e3',
      x: [['e0', 'e1'], ['e2']],
      y: ['e3'],
    });
  });

  it.each([
    ['7', 'no-list'],
    ['', 'no-list'],
    ['$text', 'no-list'],
    ['$unknown', 'missing-variable no-list'],
    ['[1', 'no-list'],
  ])('over %j has no round, and gathers nothing', (written, codes) => {
    const lines = play(`<foreach in="${written}">${echo('x')}</foreach>`, {
      providers,
      variables: { text: 'x' },
    });
    expect(lines.filter((line) => !line.includes('rounds of'))).toEqual([
      ...codes.split(' '),
      'started x {}',
      'completed x []',
      'max_iterations',
    ]);
  });

  it('whose list is of an action that failed gathers nothing: what depends on it is skipped', () => {
    const output = `${act('l', { name: 'no' })}<foreach in="$l">${echo('x')}</foreach>${echo('y', { depends_on: ['x'] })}`;
    expect(play(output, { providers })).toEqual([
      'started l {}',
      'failed l',
      'missing-variable',
      'no-list',
      '0 rounds of $l',
      'skipped x because of l',
      'skipped y because of x',
      'max_iterations',
    ]);
  });

  it('gathers nothing when an action of a round has failed', () => {
    const output = `<foreach in="[1, 2]">${act('x', { name: 'once' })}</foreach>`;
    expect(play(output, { providers })).toContain('skipped x because of x_1');
  });

  it('has no round without its end, and lets what is before it pass', () => {
    expect(play(`${list}<foreach in="$l"><thought>t</thought>`, { providers })).toEqual([
      'started l {}',
      'unclosed-block',
      'completed l ["x","y"]',
      'max_iterations',
    ]);
  });

  it('ends with a final response in a round', () => {
    const output = `<foreach in="[1, 2]"><response>$item</response>${echo('x')}</foreach>${echo('x')}`;
    expect(play(output, { providers })).toEqual(['2 rounds of [1, 2]', 'response 1', 'after-final', 'final']);
  });

  it('has actions without id, and those whose result is not tracked', () => {
    const output = `<foreach in="[1, 2]"><action type="tool" mode="sync">{"name": "echo"}</action>${echo('f', {}, 'fire_and_forget')}</foreach>`;
    expect(outputsOf(output)).toMatchObject({ '#1_0': 'e0', '#1_1': 'e2', f: [null, null] });
  });

  it('leaves an internal action named gather of a model as it is', () => {
    const written = act('x', { name: 'gather' }, { type: 'internal' });
    expect(play(written)).toEqual(['started x {}', 'failed x', 'max_iterations']);
    expect(play(written, { providers: { gather: [{ output: 1 }] } })).toContain('completed x 1');
  });

  it('has the references of a list in JSON', () => {
    expect(
      play(`${list}<foreach in='["$l", "> $given"]'>${echo('x', { parameters: { p: '$item' } })}</foreach>`, {
        providers,
        variables: { given: 1 },
      }),
    ).toEqual(expect.arrayContaining(['started x_0 {"p":["x","y"]}', 'started x_1 {"p":"> 1"}']));
  });
});
