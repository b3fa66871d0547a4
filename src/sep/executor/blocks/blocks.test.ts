/** Conditions and groups in a run: spec/sep/README.md, "Blocks". */
import { describe, expect, it } from 'vitest';
import { playRun } from '../scripted-run.ts';
import { coalesced } from '../../parser/events.test-helper.ts';
import { parseSep } from '../../parser/parser.ts';
import { act, all, eventsOf, play } from './play.test-helper.ts';

const providers = {
  three: [{ after: 1, output: 3 }],
  two: [{ after: 2, output: 2 }],
  no: [{ after: 1, error: 'no' }],
};
const three = act('a', { name: 'three' }, { mode: 'async' });
const response = '<response>end</response>';

describe('the parser', () => {
  const typesOf = (output: string): readonly string[] =>
    coalesced(parseSep(output, { extensions: all })).map((event) =>
      event.type === 'diagnostic' ? event.code : event.type === 'text' ? `text ${event.text}` : event.type,
    );

  it('gives the begin, the branch and the end of blocks', () => {
    expect(parseSep(`<if test='$a > "x"' other=1>t<else />u</if >`, { extensions: all })).toEqual([
      { type: 'block', name: 'if', attributes: { test: '$a > "x"', other: '1' } },
      { type: 'text', text: 't' },
      { type: 'branch' },
      { type: 'text', text: 'u' },
      { type: 'block_end', name: 'if', complete: true },
    ]);
  });

  it.each([
    ['</if>', ['stray-close', 'text </if>']],
    ['<else/>', ['stray-close', 'text <else/>']],
    ['<if><else/><else/></if>', ['block', 'branch', 'stray-close', 'text <else/>', 'block_end']],
    ['<parallel><else/></parallel>', ['block', 'stray-close', 'text <else/>', 'block_end']],
    ['<if></foreach></if>', ['block', 'stray-close', 'text </foreach>', 'block_end']],
    ['<parallel/><if/>', ['block', 'block_end', 'block', 'block_end']],
    ['<thought><if></thought>', ['thought']],
    ['<response><if></response>', ['response', 'response_end']],
    ['<if><parallel>', ['block', 'block', 'unclosed-block', 'block_end', 'unclosed-block', 'block_end']],
    ['<iffy><IF><foreach-x>', ['text <iffy><IF><foreach-x>']],
  ])('reads %s', (output, types) => expect(typesOf(output)).toEqual(types));

  it('reads a ninth block inside of each other as text', () => {
    expect(typesOf('<if>'.repeat(9)).slice(0, 10)).toEqual([
      ...Array.from({ length: 8 }, () => 'block'),
      'too-deep',
      'text <if>',
    ]);
  });

  it('reads only the tags of extensions that are on', () => {
    for (const [name, tag] of [
      ['conditions', '<if>'],
      ['loops', '<foreach>'],
      ['groups', '<parallel>'],
    ] as const) {
      expect(parseSep(tag, { extensions: { [name]: true } })[0]).toMatchObject({ type: 'block' });
      expect(parseSep(tag, { extensions: { ...all, [name]: false } }).map(({ type }) => type)).toEqual(
        tag === '<parallel>' ? ['text', 'text'] : expect.arrayContaining(['text']),
      );
    }
  });

  it('leaves ids in blocks free', () => {
    const codes = parseSep(`<if>${act('a')}<else/>${act('a')}</if>${act('a')}${act('a')}`, {
      extensions: all,
    });
    expect(codes.filter(({ type }) => type === 'action')).toHaveLength(3);
    expect(codes.at(-1)).toMatchObject({ code: 'duplicate-id' });
  });
});

describe('a condition in a run', () => {
  it('waits for the action that it names, and lets thoughts and texts behind it pass', () => {
    const output = `${three}<if test="$a == 3"><thought>in</thought>${act('b', { name: 'two' })}</if><thought>behind</thought>text${act('c', { name: 'three' })}${response}`;
    expect(play(output, { providers })).toEqual([
      'started a {}',
      'thought behind',
      'text text',
      'completed a 3',
      '$a == 3: true',
      'thought in',
      'started b {}',
      'completed b 2',
      'started c {}',
      'completed c 3',
      'response end',
      'final',
    ]);
  });

  it('that is false leaves the ids of its part free, and takes the other part', () => {
    const output = `<if test="$nothing">${act('b', { name: 'no' })}<response>one</response><else/><response final="false">other</response></if>${act('b', { name: 'two' })}${response}`;
    expect(play(output, { providers })).toEqual([
      'missing-variable',
      '$nothing: false',
      'response other',
      'started b {}',
      'completed b 2',
      'response end',
      'final',
    ]);
  });

  it('that is none takes neither part', () => {
    expect(play('<if test="$a ="><thought>x</thought><else/><thought>y</thought></if>')).toEqual([
      'bad-condition',
      'max_iterations',
    ]);
    expect(play('<if><thought>x</thought></if>')).toEqual(['bad-condition', 'max_iterations']);
  });

  it('does not wait for an action that waits for one behind it', () => {
    const first = act('a', { name: 'three', depends_on: ['later'] });
    expect(
      play(`${first}<if test="defined $a">${act('b')}</if>${act('later', { name: 'two' })}${response}`, {
        providers,
      }),
    ).toEqual([
      'defined $a: false',
      'started later {}',
      'completed later 2',
      'started a {}',
      'response end',
      'completed a 3',
      'final',
    ]);
  });

  it('waits for an action that waits for another one before it, also behind a sync one', () => {
    const output = `${act('s', { name: 'two' })}${act('a', { name: 'three', depends_on: ['b'] }, { mode: 'async' })}${act('b', { name: 'two' }, { mode: 'async' })}<if test="$a == 3"><thought>yes</thought></if>`;
    expect(play(output, { providers })).toContain('thought yes');
  });

  it('does not look at a nested condition in a part that does not count', () => {
    const output =
      '<if test="false"><if test="$x ="><thought>x</thought><else/><thought>y</thought></if></if>';
    expect(play(output)).toEqual(['false: false', 'max_iterations']);
  });

  it('without its end counts as far as it came', () => {
    expect(play('<if test="true"><thought>x</thought>')).toEqual([
      'true: true',
      'thought x',
      'unclosed-block',
      'max_iterations',
    ]);
  });

  it('may hold the final response: what comes after it is ignored, with one diagnostic', () => {
    const output = `<if test="true">${response}<thought>x</thought></if><if test="$no"></if>${act('late')}<thought>y</thought>`;
    expect(play(output)).toEqual(['true: true', 'response end', 'after-final', 'final']);
    expect(play(`<if test="true">${response} </if> \n`)).toEqual(['true: true', 'response end', 'final']);
    expect(play(`<if test="false">${response}</if><response>last</response>`)).toEqual([
      'false: false',
      'response last',
      'final',
    ]);
  });

  it('knows the outputs of earlier iterations, feeds that were set, and given variables', () => {
    const set = act(
      's',
      { name: 'set_variable', parameters: { name: 'v', value: [1] } },
      { type: 'internal' },
    );
    const { events } = playRun({
      iterations: [[three], [`${set}<if test="$a == 3 and $v[0] == 1 and $given == 'x'">${response}</if>`]],
      providers,
      variables: { given: 'x' },
      extensions: all,
    });
    expect(events.at(-1)).toMatchObject({ reason: 'final' });
  });

  it('of a value without end has no value', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    const output = '<if test="$loop == $loop"><thought>x</thought></if>';
    expect(play(output, { variables: { loop: loop as never } })).toEqual([
      'value-refused',
      'value-refused',
      '$loop == $loop: false',
      'max_iterations',
    ]);
  });
});

describe('a group', () => {
  it('runs its sync actions beside each other, and delays what is behind it, but no thought', () => {
    const group = `<parallel>${act('a', { name: 'three' })}${act('b', { name: 'two' })}</parallel>`;
    const events = eventsOf(`${group}<thought>t</thought>${act('c', { name: 'three' })}${response}`, {
      providers,
    });
    const times = events.flatMap((event) => ('id' in event ? [`${event.type} ${event.id} ${event.at}`] : []));
    expect(times).toEqual([
      'started a 0',
      'started b 0',
      'completed a 1',
      'completed b 2',
      'started c 2',
      'completed c 3',
    ]);
    expect(events.find(({ type }) => type === 'thought')).toMatchObject({ at: 0 });
    expect(events.flatMap((event) => (event.type === 'action' ? [event.action.mode] : []))).toEqual([
      'async',
      'async',
      'sync',
    ]);
  });

  it('gathers its outputs by id', () => {
    const group = `<parallel id="g">${act('a', { name: 'three' })}${act('b', { name: 'two' })}</parallel>`;
    expect(play(`${group}<response>$g</response>`, { providers }).slice(-4)).toEqual([
      'started g {}',
      'completed g {"a":3,"b":2}',
      'response {"a":3,"b":2}',
      'final',
    ]);
  });

  it('that has a failure is skipped, and what is behind it goes on', () => {
    const group = `<parallel id="g">${act('a', { name: 'no' })}${act('b', { name: 'two' })}</parallel>`;
    expect(play(`${group}${act('c', { name: 'three' })}${response}`, { providers })).toEqual([
      'started a {}',
      'started b {}',
      'failed a',
      'skipped g because of a',
      'completed b 2',
      'started c {}',
      'completed c 3',
      'response end',
      'final',
    ]);
  });

  it('does not wait for an action that waits for one behind it', () => {
    const group = `<parallel>${act('a', { name: 'three', depends_on: ['c'] })}</parallel>`;
    expect(play(`${group}${act('c', { name: 'two' })}`, { providers })).toEqual([
      'started c {}',
      'completed c 2',
      'started a {}',
      'completed a 3',
      'max_iterations',
    ]);
  });

  it('gathers loops in it as lists, and knows the actions of conditions and groups in it', () => {
    const inner = `<foreach in="[1, 2]">${act('x', { name: 'two' })}</foreach><if test="true">${act('y', { name: 'three' })}</if><parallel id="h">${act('z', { name: 'two' })}</parallel>`;
    expect(play(`<parallel id="g">${inner}</parallel><response>$g</response>`, { providers })).toContain(
      'completed g {"x":[2,2],"y":3,"z":2,"h":{"z":2}}',
    );
  });
});
