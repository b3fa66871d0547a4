import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Link } from '../../../kit/world/index.ts';
import { streamEvents } from './methods.ts';
import { Conversations, conversationLimits, eventIds, isEventId } from './conversation.ts';
import type { Conversation } from './conversation.ts';

interface Taker {
  readonly link: Link;
  readonly texts: string[];
  readonly ids: string[];
  free: boolean;
  closed: number | undefined;
}

function taker(): Taker {
  const taken: Taker = {
    texts: [],
    ids: [],
    free: true,
    closed: undefined,
    link: {
      conn: 'c',
      stream: 's',
      headers: () => {},
      send(bytes) {
        const decoded = streamEvents.answer.decode(bytes);
        if (decoded.ok) {
          taken.texts.push(decoded.value.message.text?.content ?? '');
          taken.ids.push(decoded.value.message.timestamp ?? '');
        }
        return taken.free;
      },
      halfClose: () => {},
      close: (status) => void (taken.closed = status.code),
      pause: () => {},
      resume: () => {},
    },
  };
  return taken;
}

const one = (key = 'a'): Conversation => {
  const found = new Conversations(() => 0).of(key);
  if (found === undefined) throw new Error('no conversation');
  return found;
};

const say = (conversation: Conversation, content: string): boolean =>
  conversation.publish({ text: { content } });

afterEach(() => void vi.useRealTimers());

describe('ids of events', () => {
  it('are RFC 3339 times, each later than the one before, though the clock stands still or goes back', () => {
    const times = [1000, 1000, 999, 0, 1001.9, 1001];
    const next = eventIds(() => times.shift() ?? 0);
    const ids = Array.from({ length: 6 }, next);
    expect(ids[0]).toBe('1970-01-01T00:00:01.000000000Z');
    expect([...new Set(ids)].sort()).toEqual(ids);
    expect(ids.every(isEventId)).toBe(true);
    expect(ids.every((id) => !Number.isNaN(Date.parse(id)))).toBe(true);
  });

  it('still grow after a million in one millisecond', () => {
    const next = eventIds(() => 0);
    let last = next();
    for (let i = 0; i < 1_000_005; i++) {
      const id = next();
      if (id <= last) throw new Error(`${id} after ${last}`);
      last = id;
    }
    expect(isEventId(last)).toBe(true);
  });
});

describe('a conversation', () => {
  it('tells from now on, or from an event on', () => {
    const conversation = one();
    say(conversation, '1');
    const first = taker();
    conversation.listen(first.link, undefined);
    say(conversation, '2');
    say(conversation, '3');
    expect(first.texts).toEqual(['2', '3']);
    const again = taker();
    conversation.listen(again.link, first.ids[0]);
    expect(again.texts).toEqual(['3']);
    const all = taker();
    conversation.listen(all.link, '1970-01-01T00:00:00.000000000Z'.replace('1970', '1969'));
    expect(all.texts).toEqual(['1', '2', '3']);
  });

  it('remembers the last thousand', () => {
    const conversation = one();
    for (let i = 0; i < 1500; i++) say(conversation, String(i));
    const late = taker();
    conversation.listen(late.link, '1969-01-01T00:00:00.000000000Z');
    expect([late.texts.length, late.texts[0]]).toEqual([1000, '500']);
  });

  it('a full listener holds back who speaks, loses nothing, and lets it go on', () => {
    const conversation = one();
    let drained = 0;
    conversation.senders.add(() => drained++);
    const slow = taker();
    slow.free = false;
    const listener = conversation.listen(slow.link, undefined);
    expect(say(conversation, '0')).toBe(false);
    for (let i = 1; i < 3000; i++) expect(say(conversation, String(i))).toBe(false);
    expect(slow.texts).toHaveLength(1);
    slow.free = true;
    listener.drained();
    expect([slow.texts.length, drained]).toEqual([3000, 1]);
    expect(say(conversation, 'x')).toBe(true);
  });

  it('lets go one that takes nothing for long, and one for whom too much waits', () => {
    vi.useFakeTimers();
    const conversation = one();
    let drained = 0;
    conversation.senders.add(() => drained++);
    const slow = taker();
    slow.free = false;
    conversation.listen(slow.link, undefined);
    say(conversation, '0');
    vi.advanceTimersByTime(conversationLimits.stalled - 1);
    expect([slow.closed, drained]).toEqual([undefined, 0]);
    vi.advanceTimersByTime(1);
    expect([slow.closed, drained]).toEqual([8, 1]);
    const heavy = taker();
    heavy.free = false;
    conversation.listen(heavy.link, undefined);
    for (let i = 0; i < 70 && heavy.closed === undefined; i++) say(conversation, 'x'.repeat(1 << 20));
    expect(heavy.closed).toBe(8);
    const late = taker();
    conversation.listen(late.link, '1969-01-01T00:00:00.000000000Z');
    expect(late.texts.length).toBeLessThanOrEqual(4);
  });
});

describe('conversations', () => {
  it('make room for new ones, but not by what is in use', () => {
    const all = new Conversations(() => 0);
    const [busy, quiet] = [all.of('busy'), all.of('quiet')];
    busy?.senders.add(() => {});
    for (let i = 0; i < 300; i++) all.of(`c${i}`);
    expect(all.of('busy')).toBe(busy);
    expect(all.of('quiet')).not.toBe(quiet);
    const full = new Conversations(() => 0);
    for (let i = 0; i < 256; i++) full.of(`c${i}`)?.senders.add(() => {});
    expect([full.of('one more'), full.of('c0') === undefined]).toEqual([undefined, false]);
  });
});
