/** The simulated network: order within a stream, seeded delays, backpressure, and the ways in which it is disturbed. */
import { describe, expect, it } from 'vitest';
import type { Link, LinkEvents } from './link.ts';
import { Network } from './network.ts';
import type { NetworkOptions } from './network.ts';
import { seededRandom } from './random.ts';
import { VirtualClock } from './virtual.ts';

const bytes = (n: number, size = 1): Uint8Array => new Uint8Array(size).fill(n);

/** What one end of a stream hears, each with its time. */
class Ear implements LinkEvents {
  readonly heard: string[] = [];
  readonly times: number[] = [];
  readonly #clock: VirtualClock;
  onMessage: (() => void) | undefined;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  #note(what: string): void {
    this.heard.push(what);
    this.times.push(this.#clock.now());
  }

  readonly headers = (): void => this.#note('headers');
  readonly message = (b: Uint8Array): void => {
    this.#note(`${b[0] ?? 0}`);
    this.onMessage?.();
  };
  readonly halfClose = (): void => this.#note('half_close');
  readonly ended = (s: { code: number } | undefined): void =>
    this.#note(s === undefined ? 'gone' : `end ${s.code}`);
  readonly drained = (): void => this.#note('drained');
  readonly ping = (): void => this.#note('ping');
}

interface Streamed {
  readonly clock: VirtualClock;
  readonly network: Network;
  readonly client: Ear;
  readonly server: Ear;
  /** The client's link, and the server's once the stream was accepted. */
  readonly up: Link;
  down(): Link;
  pass(ms: number): void;
}

/** A network with one stream, accepted. */
function streamed(options?: NetworkOptions, seed = '7', keepalive?: number): Streamed {
  const clock = new VirtualClock();
  const network = new Network(clock, seededRandom(seed), options);
  const [client, server] = [new Ear(clock), new Ear(clock)];
  let accepted: Link | undefined;
  network.listen((link) => {
    accepted = link;
    return server;
  });
  const up = network.dial({ metadata: {}, ...(keepalive === undefined ? {} : { keepalive }) }, client);
  const pass = (ms: number): void => {
    const until = clock.now() + ms;
    clock.after(ms, () => {});
    clock.run(() => clock.now() >= until);
  };
  pass(50);
  return {
    ...{ clock, network, client, server, up, pass },
    down() {
      if (accepted === undefined) throw new Error('not accepted');
      return accepted;
    },
  };
}

const fixed = { delay: { min: 1, max: 1 } };

describe('a stream', () => {
  it('carries everything in order, in each direction, whatever the delays', () => {
    const { client, server, up, down, pass } = streamed({ delay: { min: 0, max: 30 } });
    for (let i = 0; i < 50; i++) {
      up.send(bytes(i));
      down().send(bytes(100 + i));
    }
    up.halfClose();
    pass(2000);
    down().send(bytes(200));
    down().close({ code: 5, message: '' });
    pass(2000);
    expect(server.heard).toEqual([...Array.from({ length: 50 }, (_, i) => `${i}`), 'half_close']);
    expect(client.heard).toEqual([...Array.from({ length: 50 }, (_, i) => `${100 + i}`), '200', 'end 5']);
  });

  it('delivers later than it was sent, within the delays, and the same from the same seed', () => {
    const times = (seed: string): number[] => {
      const { server, up, pass } = streamed({ delay: { min: 2, max: 9 } }, seed);
      for (let i = 0; i < 20; i++) {
        up.send(bytes(i));
        pass(20);
      }
      return server.times.map((at, i) => at - 50 - 20 * i);
    };
    const [a, again, b] = [times('a'), times('a'), times('b')];
    expect(a).toEqual(again);
    expect(a).not.toEqual(b);
    expect(Math.min(...a, ...b)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...a, ...b)).toBeLessThanOrEqual(9);
  });

  it('may overtake another stream', () => {
    const clock = new VirtualClock();
    const network = new Network(clock, seededRandom('7'), { delay: { min: 0, max: 30 } });
    const order: number[] = [];
    network.listen(() =>
      Object.assign(new Ear(clock), { message: (b: Uint8Array) => order.push(b[0] ?? 0) }),
    );
    for (let i = 0; i < 20; i++) network.dial({ metadata: {} }, new Ear(clock)).send(bytes(i));
    clock.run(() => order.length === 20);
    expect(order).not.toEqual([...order].sort((a, b) => a - b));
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('has a connection and a name of its own, the same at both ends', () => {
    const { network, up, down, clock } = streamed();
    const other = network.dial({ metadata: {} }, new Ear(clock));
    expect([down().conn, down().stream]).toEqual([up.conn, up.stream]);
    expect(other.conn).not.toBe(up.conn);
    expect(other.stream).not.toBe(up.stream);
  });

  it('says nothing more after its end', () => {
    const { client, server, up, down, pass } = streamed();
    down().close({ code: 0, message: '' });
    expect(down().send(bytes(1))).toBe(true);
    pass(50);
    up.send(bytes(2));
    up.close({ code: 1, message: '' });
    pass(50);
    expect([client.heard, server.heard]).toEqual([['end 0'], []]);
  });

  it('that its client gives up is gone for its server', () => {
    const { client, server, up, pass } = streamed();
    up.send(bytes(1));
    up.close({ code: 1, message: '' });
    pass(50);
    expect([client.heard, server.heard]).toEqual([[], ['1', 'gone']]);
  });

  it('does not come about where nobody listens', () => {
    const { network, clock, pass } = streamed();
    network.listen(undefined);
    const client = new Ear(clock);
    network.dial({ metadata: {} }, client).send(bytes(1));
    pass(50);
    expect(client.heard).toEqual(['end 14']);
  });

  it('pings as often as it is asked to, until it ends', () => {
    const { server, up, pass } = streamed(fixed, '7', 1000);
    pass(3500);
    expect(server.heard).toEqual(['ping', 'ping', 'ping']);
    up.close({ code: 1, message: '' });
    pass(5000);
    expect(server.heard).toEqual(['ping', 'ping', 'ping', 'gone']);
  });

  it('pings no more when nobody listened', () => {
    const { network, clock } = streamed();
    network.listen(undefined);
    network.dial({ metadata: {}, keepalive: 1000 }, new Ear(clock));
    expect(clock.run(() => clock.now() > 60_000)).toBe(false);
  });
});

describe('backpressure', () => {
  it('send answers false once more than 65,535 bytes are on their way, and drained follows', () => {
    const { client, server, up, pass } = streamed();
    const room = Array.from({ length: 8 }, (_, i) => up.send(bytes(i, 10_000)));
    expect(room).toEqual([true, true, true, true, true, true, false, false]);
    pass(100);
    expect(server.heard.length).toBe(8);
    expect(client.heard).toEqual(['drained']);
    expect(up.send(bytes(9))).toBe(true);
  });

  it('drained comes only when half of it has been taken', () => {
    const { clock, client, server, up, pass } = streamed();
    let heardBefore = -1;
    for (let i = 0; i < 8; i++) up.send(bytes(i, 10_000));
    server.onMessage = () => {
      if (client.heard.length === 0) heardBefore = server.heard.length;
    };
    clock.run(() => client.heard.length > 0);
    pass(100);
    // 80,000 bytes were on their way; at most 32,767 may be left: five of eight are taken.
    expect(heardBefore).toBe(5);
  });

  it('who pauses hears nothing, and loses nothing', () => {
    const { server, up, down, pass } = streamed();
    down().pause();
    for (let i = 0; i < 3; i++) up.send(bytes(i));
    pass(60_000);
    expect(server.heard).toEqual([]);
    down().resume();
    pass(50);
    expect(server.heard).toEqual(['0', '1', '2']);
  });
});

describe('a cut', () => {
  it.each(['cut', 'reset'] as const)(
    '(%s) is heard at both ends at once, and loses what was on its way',
    (kind) => {
      const { network, client, server, up, down, pass } = streamed();
      up.send(bytes(1));
      down().send(bytes(2));
      network.fault(up.stream, { kind });
      expect([client.heard, server.heard]).toEqual([['end 14'], ['gone']]);
      expect(up.send(bytes(3))).toBe(true);
      pass(1000);
      expect([client.heard, server.heard]).toEqual([['end 14'], ['gone']]);
    },
  );

  it('strikes the named stream, or all', () => {
    const { network, clock, client, up, pass } = streamed();
    const others = [new Ear(clock), new Ear(clock)];
    const [first] = others.map((ear) => network.dial({ metadata: {} }, ear));
    pass(50);
    network.fault(first?.stream, { kind: 'cut' });
    expect([client, ...others].map((ear) => ear.heard.length)).toEqual([0, 1, 0]);
    network.fault(undefined, { kind: 'cut' });
    expect([client, ...others].map((ear) => ear.heard.length)).toEqual([1, 1, 1]);
    network.fault(up.stream, { kind: 'cut' });
    expect(client.heard.length).toBe(1);
  });
});

describe('a stall', () => {
  it('holds back what is sent during it, then lets everything cross in order', () => {
    const { network, server, up, pass } = streamed(fixed);
    network.fault(undefined, { kind: 'stall', ms: 500 });
    for (let i = 0; i < 3; i++) up.send(bytes(i));
    pass(499);
    expect(server.heard).toEqual([]);
    pass(10);
    expect(server.heard).toEqual(['0', '1', '2']);
  });

  it('holds back what is on its way when it begins', () => {
    const { network, server, up, pass } = streamed(fixed);
    up.send(bytes(1));
    network.fault(undefined, { kind: 'stall', ms: 500 });
    pass(400);
    expect(server.heard).toEqual([]);
  });
});

describe('a slow network', () => {
  it('carries so many bytes a second from then on, and is fast again when calm', () => {
    const { network, server, up, pass } = streamed(fixed);
    network.fault(undefined, { kind: 'slow', rate: 1000 });
    for (let i = 0; i < 4; i++) up.send(bytes(i, 495));
    pass(10_000);
    const gaps = server.times.map((at, i) => at - (server.times[i - 1] ?? 50));
    expect(gaps).toEqual([500, 500, 500, 500]);
    network.fault(undefined, { kind: 'restore' });
    const began = server.times.length;
    up.send(bytes(9, 495));
    pass(10);
    expect(server.times.length).toBe(began + 1);
  });
});
