/** Health checking as clients of other makes ask for it: grpc/doc/health-checking.md, health.proto. */
import { Client, credentials, status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveGrpc } from '../../kit/transport/index.ts';
import type { GrpcServer } from '../../kit/transport/index.ts';
import type { Accept } from '../../kit/world/index.ts';
import { healthAccept, healthPaths } from './health.ts';

const { root } = protobuf.parse(`syntax = "proto3"; package grpc.health.v1;
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse {
  enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
  ServingStatus status = 1;
}`);
const requestType = root.lookupType('HealthCheckRequest');
const responseType = root.lookupType('HealthCheckResponse');
const encode = (service: string): Buffer => Buffer.from(requestType.encode({ service }).finish());
const decode = (bytes: Buffer): string =>
  String(responseType.toObject(responseType.decode(bytes), { enums: String, defaults: true })['status']);
const raw = (bytes: Buffer): Buffer => bytes;

const elsewhere: Accept = (link) => {
  link.close({ code: 10, message: 'elsewhere' });
  const deaf = (): void => {};
  return { headers: deaf, message: deaf, halfClose: deaf, ended: deaf, drained: deaf, ping: deaf };
};
const health = healthAccept(elsewhere, ['coven.CovenControl']);
let server: GrpcServer;
let client: Client;

beforeAll(async () => {
  const methods = [...healthPaths, '/coven.CovenControl/AgentStream'];
  server = await serveGrpc({ host: '127.0.0.1', port: 0, methods, accept: health, maxReceive: 4 << 20 });
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterAll(() => {
  client.close();
  server.close();
});

const call = (path: string, request: Buffer): Promise<string | ServiceError> =>
  new Promise((resolve) => {
    client.makeUnaryRequest(path, raw, decode, request, (error, value) => resolve(error ?? value ?? ''));
  });
const check = (service: string): Promise<string | ServiceError> =>
  call(healthPaths[0] ?? '', encode(service));

/** Watches a service; `next` is the next status that comes. */
function watch(service: string): { next(): Promise<string>; cancel(): void } {
  const stream = client.makeServerStreamRequest(healthPaths[1] ?? '', raw, decode, encode(service));
  const came: string[] = [];
  let wake = (): void => {};
  stream.on('data', (value: string) => {
    came.push(value);
    wake();
  });
  stream.on('error', () => {});
  return {
    async next() {
      while (came.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return came.shift() ?? '';
    },
    cancel: () => stream.cancel(),
  };
}

describe('Check', () => {
  it.each(['', 'coven.CovenControl'])(
    'of "%s" is SERVING, and NOT_SERVING while it stops',
    async (service) => {
      expect(await check(service)).toBe('SERVING');
      health.setServing(false);
      expect(await check(service)).toBe('NOT_SERVING');
      health.setServing(true);
    },
  );

  it('of a service that is not here is NOT_FOUND, and says which are', async () => {
    expect(await check('no.Such')).toMatchObject({
      code: status.NOT_FOUND,
      details: 'no service "no.Such" is served here; expected one of "", coven.CovenControl',
    });
  });

  it.each([
    ['a text that reaches beyond the end', [10, 9, 97]],
    ['a text that is not UTF-8', [10, 1, 0xff]],
    ['field number 0', [2, 1, 97]],
    ['an end group', [12]],
    ['a cut varint', [8, 0x80]],
  ])('with %s is INVALID_ARGUMENT', async (_, bytes) => {
    expect(await call(healthPaths[0] ?? '', Buffer.from(bytes))).toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
  });

  it('ignores fields it does not know', async () => {
    expect(await call(healthPaths[0] ?? '', Buffer.from([16, 1, 26, 1, 97]))).toBe('SERVING');
  });

  it('without a message is INVALID_ARGUMENT', async () => {
    const stream = client.makeBidiStreamRequest(healthPaths[0] ?? '', raw, raw);
    stream.resume().end();
    const error = await new Promise((resolve) => stream.on('error', resolve));
    expect(error).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'expected one HealthCheckRequest; none came',
    });
  });
});

describe('Watch', () => {
  it('tells the present status, then each change, once', async () => {
    const seen = watch('coven.CovenControl');
    expect(await seen.next()).toBe('SERVING');
    health.setServing(true);
    health.setServing(false);
    health.setServing(false);
    health.setServing(true);
    expect([await seen.next(), await seen.next()]).toEqual(['NOT_SERVING', 'SERVING']);
    seen.cancel();
  });

  it('of a service that is not here stays open at SERVICE_UNKNOWN', async () => {
    const unknown = watch('no.Such');
    const whole = watch('');
    expect([await unknown.next(), await whole.next()]).toEqual(['SERVICE_UNKNOWN', 'SERVING']);
    health.setServing(false);
    expect(await whole.next()).toBe('NOT_SERVING');
    health.setServing(true);
    const silent = await Promise.race([unknown.next(), new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(silent).toBeUndefined();
    unknown.cancel();
    whole.cancel();
  });
});

describe('another method', () => {
  it('is none of its business', async () => {
    expect(await call('/coven.CovenControl/AgentStream', encode(''))).toMatchObject({
      code: status.ABORTED,
      details: 'elsewhere',
    });
  });
});
