/** Who is let in: tokens, SSH signatures, the window, nonces and principals (rows G11–G13; "Carrier"). */
import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../kit/base/index.ts';
import type { GatewayAuth } from './options.ts';
import { gatewayLimits } from './options.ts';
import { GatewayStage } from './gateway.test-helper.ts';

/** Unix seconds when the stage's clock is 0. */
const began = 1_700_000_000;

const auth: GatewayAuth = {
  jwt: (token) => {
    if (token === 'throws') throw new Error('not a token');
    return token.startsWith('good')
      ? { sub: 'ann', exp: token === 'good-old' ? began : began + 60 }
      : undefined;
  },
  ssh: (key, text, signature) => key.startsWith('ssh-ed25519 KEY') && signature === `signed ${text}`,
};

const stageOf = (more: Partial<GatewayAuth> = {}): GatewayStage =>
  new GatewayStage({ epoch: began * 1000, auth: { ...auth, ...more } });

/** How a stream with this metadata is closed; 0: it is welcome. */
function knock(stage: GatewayStage, metadata: Metadata): number {
  const peer = stage.open('agent', metadata);
  stage.say(peer, { register: { agent_id: `a-${peer}` } });
  const outputs = stage.of(peer);
  expect(outputs[0]).toMatchObject({ type: 'headers' });
  const closed = outputs.find((output) => output.type === 'close');
  if (closed === undefined) expect(outputs[1]).toMatchObject({ message: { welcome: {} } });
  return closed?.status.code ?? 0;
}

let nonces = 0;
const ssh = (more: { age?: number; nonce?: string; key?: string; forged?: boolean } = {}): Metadata => {
  const { age = 0, nonce = `n-${++nonces}`, key = 'ssh-ed25519 KEY me@home', forged = false } = more;
  const text = `${began - age}|${nonce}`;
  return {
    'x-ssh-pubkey': key,
    'x-ssh-timestamp': String(began - age),
    'x-ssh-nonce': nonce,
    'x-ssh-signature': forged ? 'forged' : `signed ${text}`,
  };
};

describe('without auth', () => {
  it('everyone is anonymous, whatever credentials they bring', () => {
    const stage = new GatewayStage();
    expect(knock(stage, {})).toBe(0);
    expect(knock(stage, { authorization: 'Bearer bad' })).toBe(0);
  });
});

describe('a bearer token', () => {
  it('that is good opens the stream, and its sub is the principal', () => {
    const stage = stageOf();
    const peer = stage.open('agent', { authorization: 'Bearer good' });
    stage.say(peer, { register: { agent_id: 'a' } });
    expect(stage.heard(peer)).toMatchObject([{ welcome: { principal_id: 'ann' } }]);
  });

  it.each([
    ['is missing', {}],
    ['is of another scheme', { authorization: 'Basic good' }],
    ['is forged', { authorization: 'Bearer bad' }],
    ['is expired', { authorization: 'Bearer good-old' }],
    ['makes the check throw', { authorization: 'Bearer throws' }],
  ])('that %s is UNAUTHENTICATED (G11)', (_, metadata) => {
    expect(knock(stageOf(), metadata)).toBe(16);
  });

  it('beside an SSH header counts for nothing: any SSH header selects SSH', () => {
    expect(knock(stageOf(), { authorization: 'Bearer good', 'x-ssh-nonce': 'n' })).toBe(16);
    expect(knock(stageOf(), { authorization: 'Bearer bad', ...ssh() })).toBe(0);
  });
});

describe('an SSH signature', () => {
  it.each([
    ['of now', 0],
    ['5 min old', 300],
    ['1 min ahead', -60],
  ])('%s opens the stream, and the key is the principal', (_, age) => {
    const stage = stageOf();
    const peer = stage.open('agent', ssh({ age }));
    stage.say(peer, { register: { agent_id: 'a' } });
    expect(stage.heard(peer)).toMatchObject([{ welcome: { principal_id: 'ssh-ed25519 KEY' } }]);
  });

  it.each([
    ['by another key', ssh({ forged: true })],
    ['of a key that is unknown', ssh({ key: 'ssh-ed25519 OTHER' })],
    ['6 min old', ssh({ age: 360 })],
    ['2 min ahead', ssh({ age: -120 })],
    ['without a nonce', ssh({ nonce: '' })],
    ['with a timestamp that is none', { ...ssh(), 'x-ssh-timestamp': 'now' }],
    ['without a key', { ...ssh(), 'x-ssh-pubkey': '' }],
  ])('%s is UNAUTHENTICATED (G12)', (_, metadata) => {
    expect(knock(stageOf(), metadata)).toBe(16);
  });

  it('opens one stream: its nonce is used up, on any stream and with any timestamp (G12)', () => {
    const stage = stageOf();
    expect(knock(stage, ssh({ nonce: 'once' }))).toBe(0);
    stage.pass(1000);
    expect(knock(stage, ssh({ nonce: 'once' }))).toBe(16);
    expect(knock(stage, ssh({ nonce: 'once', age: 10 }))).toBe(16);
    expect(knock(stage, ssh({ nonce: 'twice' }))).toBe(0);
  });

  it('that is refused uses up no nonce', () => {
    const stage = stageOf();
    expect(knock(stage, ssh({ nonce: 'mine', forged: true }))).toBe(16);
    expect(knock(stage, ssh({ nonce: 'mine' }))).toBe(0);
  });

  it('is no good again at the end of its window, and its nonce is forgotten after it', () => {
    const stage = stageOf();
    const early = ssh({ age: -60, nonce: 'early' });
    expect(knock(stage, early)).toBe(0);
    for (const wait of [299_000, 60_000, 2000]) {
      stage.pass(wait);
      expect(knock(stage, early)).toBe(16);
    }
    expect(knock(stage, ssh({ age: -360 }))).toBe(0);
    expect(stage.state.nonces.has('early')).toBe(false);
  });

  it('is refused rather than a nonce forgotten in its window, however many there are', () => {
    const stage = stageOf();
    for (let n = 0; n < gatewayLimits.nonces; n++) stage.state.nonces.set(`x-${n}`, began * 1000);
    expect(knock(stage, ssh())).toBe(8);
    stage.pass(361_000);
    expect(knock(stage, ssh({ age: -361 }))).toBe(0);
  });
});

describe('a principal', () => {
  const principals = {
    ann: 'approved',
    'ssh-ed25519 KEY1 old@home': 'approved',
    'ssh-ed25519 KEY2': 'revoked',
    'ssh-ed25519 KEY3 new': 'pending',
  } as const;

  it.each([
    ['approved, by token', { authorization: 'Bearer good' }, 0],
    ['approved, by key, under another comment', ssh({ key: 'ssh-ed25519 KEY1 new@work' }), 0],
    ['revoked, under a comment of its own', ssh({ key: 'ssh-ed25519 KEY2 innocent' }), 7],
    ['pending', ssh({ key: 'ssh-ed25519 KEY3' }), 7],
    ['not named', ssh({ key: 'ssh-ed25519 KEY4' }), 7],
  ])('that is %s', (_, metadata, expected) => {
    expect(knock(stageOf({ principals }), metadata)).toBe(expected);
  });

  it.each([
    ['approved', 0],
    ['pending', 7],
    ['revoked', 7],
  ] as const)('that is not named stands where others do: %s', (others, expected) => {
    expect(knock(stageOf({ principals, others }), ssh({ key: 'ssh-ed25519 KEY4' }))).toBe(expected);
    expect(knock(stageOf({ principals, others }), ssh({ key: 'ssh-ed25519 KEY2 me' }))).toBe(7);
  });

  it('that inherits its name from nowhere is not approved (G13)', () => {
    const stage = stageOf({ principals, jwt: () => ({ sub: 'constructor' }) });
    expect(knock(stage, { authorization: 'Bearer x' })).toBe(7);
  });
});

describe('packs', () => {
  it('are asked as agents are, and only the pack that was called may answer', () => {
    const stage = stageOf();
    const bad = stage.open('pack', {});
    expect(stage.ended(bad)).toMatchObject({ code: 16 });
    const pack = stage.open('pack', ssh({ key: 'ssh-ed25519 KEY-pack' }));
    stage.say(pack, { manifest: { pack_id: 'p', tools: [{ name: 't' }] } });
    const agent = stage.open('agent', ssh());
    stage.say(agent, { register: { agent_id: 'a' } });
    stage.say(agent, { execute_pack_tool: { request_id: 'c', tool_name: 't', input_json: '1' } });
    const [order] = stage.orders(pack);
    const request_id = order !== undefined && 'execute_tool' in order ? order.execute_tool.request_id : '';
    stage.heard(agent);
    const answer = (key: string): void => {
      const peer = stage.open('pack_result', ssh({ key }));
      stage.say(peer, { tool_response: { request_id: request_id ?? '', output_json: '2' } });
    };
    answer('ssh-ed25519 KEY-other');
    expect(stage.heard(agent)).toEqual([]);
    answer('ssh-ed25519 KEY-pack');
    expect(stage.heard(agent)).toEqual([{ pack_tool_result: { request_id: 'c', output_json: '2' } }]);
  });
});
