/** The host: does what a role asks, in order, and shows everything that crosses its links. */
import { describe, expect, it } from 'vitest';
import { ok, refuse } from '../base/index.ts';
import type { Codec, Role, RoleInput, RoleOutput } from '../base/index.ts';
import { Host } from './host.ts';
import type { WireEvent } from './host-link.ts';
import type { Dial, Link, LinkEvents } from './link.ts';
import { VirtualClock } from './virtual.ts';

/** One byte is a number; anything else is no message. */
const codec: Codec<number> = {
  name: 'byte',
  encode: (n) => new Uint8Array([n]),
  decode: (b) =>
    b.length === 1 ? ok({ message: b[0] ?? 0 }) : refuse({ code: 'x', path: '', message: 'not one byte' }),
};

/** A role that does what `react` says, and remembers what it was told. */
function scripted(react: (input: RoleInput<number, string>) => RoleOutput<number>[]): {
  role: Role<null, number, number, string>;
  told: string[];
} {
  const told: string[] = [];
  const step: Role<null, number, number, string>['step'] = (state, input, now) => {
    told.push(`${input.type} ${now}`);
    return { state, outputs: react(input) };
  };
  return { told, role: { name: 'scripted', start: () => null, step } };
}

/** A dial whose link notes what is done to it, and answers `send` with `room`. */
function carrier(room = true): { dial: Dial; done: string[]; events: () => LinkEvents } {
  const done: string[] = [];
  let heard: LinkEvents | undefined;
  const link: Link = {
    ...{ conn: 'c1', stream: 's1' },
    headers: () => void done.push('headers'),
    send: (bytes) => (done.push(`send ${bytes.join()}`), room),
    halfClose: () => void done.push('half_close'),
    close: (status) => void done.push(`close ${status.code}`),
    pause: () => void done.push('pause'),
    resume: () => void done.push('resume'),
  };
  const events = (): LinkEvents => {
    if (heard === undefined) throw new Error('nobody dialled');
    return heard;
  };
  return { done, events, dial: (_, e) => ((heard = e), link) };
}

const dialling = (input: RoleInput<number, string>): RoleOutput<number>[] =>
  input.type === 'started' ? [{ type: 'dial', peer: 'p', metadata: { k: 'v' } }] : [];

/** A host whose role dials at the start and else does as told; with what it showed. */
function hosted(react: (input: RoleInput<number, string>) => RoleOutput<number>[] = () => [], room = true) {
  const clock = new VirtualClock();
  const shown: string[] = [];
  const tap = (e: WireEvent): void => void shown.push(`${e.incoming ? 'in' : 'out'} ${e.kind}`);
  const { role, told } = scripted((input) => [...dialling(input), ...react(input)]);
  const { dial, done, events } = carrier(room);
  const host = new Host({ role, clock, receives: codec, sends: codec, dial, tap });
  host.begin();
  return { host, clock, shown, told, done, events };
}

describe('a host', () => {
  it('dials, and tells its role when the link is there', () => {
    const { shown, told, host } = hosted();
    expect(told).toEqual(['started 0', 'opened 0']);
    expect(shown).toEqual(['out open']);
    expect(host.peers()).toEqual(['p']);
  });

  it('decodes what comes and shows it before what its role answers', () => {
    const { events, shown, told, done } = hosted((input) =>
      input.type === 'message' ? [{ type: 'send', peer: 'p', message: input.message + 1 }] : [],
    );
    events().message(new Uint8Array([4]));
    expect(done).toEqual(['send 5']);
    expect(shown.slice(1)).toEqual(['in message', 'out message']);
    events().message(new Uint8Array([1, 2]));
    expect(shown.at(-1)).toBe('in undecodable');
    expect(told.slice(2)).toEqual(['message 0', 'undecodable 0']);
  });

  it('refuses a binary message on a carrier of texts, whatever it holds', () => {
    const { events, shown, told } = hosted();
    events().message(new Uint8Array([4]), 'binary');
    expect([shown.at(-1), told.at(-1)]).toEqual(['in undecodable', 'undecodable 0']);
  });

  it('shows what comes in under the names of its link, as it does what goes out', () => {
    const names = new Set<string>();
    const { role } = scripted(dialling);
    const { dial, events } = carrier();
    const tap = (e: WireEvent): void => void names.add(`${e.conn}/${e.stream}`);
    new Host({ role, clock: new VirtualClock(), receives: codec, sends: codec, dial, tap }).begin();
    events().message(new Uint8Array([1]));
    expect([...names]).toEqual(['c1/s1']);
  });

  it('does all outputs of one input before it gives its role the next', () => {
    const order: string[] = [];
    const { host, told } = hosted((input) => {
      order.push(input.type);
      return input.type === 'command' ? [1, 2].map((message) => ({ type: 'send', peer: 'p', message })) : [];
    }, false);
    host.command('go');
    // Both sends found the carrier full; the role hears of it after both were done.
    expect(order).toEqual(['started', 'opened', 'command', 'full', 'full']);
    expect(told.length).toBe(5);
  });

  it('keeps one timer an id: started again it moves, stopped it is gone', () => {
    const { host, clock, told } = hosted((input) => {
      if (input.type !== 'command') return [];
      const [what = '', id = '', ms = ''] = input.command.split(' ');
      return what === 'stop' ? [{ type: 'stop_timer', id }] : [{ type: 'start_timer', id, ms: Number(ms) }];
    });
    for (const c of ['start a 10', 'start b 20', 'start a 30', 'start c 5', 'stop c', 'stop nothing'])
      host.command(c);
    clock.run(() => false);
    expect(told.filter((t) => t.startsWith('timer'))).toEqual(['timer 20', 'timer 30']);
  });

  it('shows an end without a status as a reset, and forgets the link', () => {
    const gone = hosted();
    gone.events().ended(undefined);
    expect(gone.shown.at(-1)).toBe('in reset');
    const ended = hosted();
    ended.events().ended({ code: 3, message: '' });
    expect(ended.shown.at(-1)).toBe('in end');
    ended.events().message(new Uint8Array([1]));
    expect(ended.told.at(-1)).toBe('left 0');
    expect(ended.host.peers()).toEqual([]);
  });

  it('hears nothing more on a link that its role closed', () => {
    const { host, events, done, told, shown } = hosted((input) =>
      input.type === 'command' ? [{ type: 'close', peer: 'p', status: { code: 9, message: '' } }] : [],
    );
    host.command('close');
    host.command('close');
    expect(done).toEqual(['close 9']);
    const heard = told.length;
    events().message(new Uint8Array([1]));
    events().ended(undefined);
    expect(told.length).toBe(heard);
    expect(shown).toEqual(['out open', 'out end']);
  });

  it('closes its links and calls its timers off when it is stopped', () => {
    const { host, clock, done, told, events } = hosted((input) =>
      input.type === 'opened' ? [{ type: 'start_timer', id: 't', ms: 5 }] : [],
    );
    host.stop();
    clock.run(() => false);
    events().message(new Uint8Array([1]));
    host.command('late');
    expect(done).toEqual(['close 14']);
    expect(told).toEqual(['started 0', 'opened 0']);
  });

  it('tells its role at once that a link is gone when it has nothing to dial with', () => {
    const { role, told } = scripted(dialling);
    new Host({ role, clock: new VirtualClock(), receives: codec, sends: codec }).begin();
    expect(told).toEqual(['started 0', 'left 0']);
  });
});
