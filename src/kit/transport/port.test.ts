/** Ports are reserved: nobody else of the kit gets one until it is released. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../spec/index.ts';
import { reservePort } from './port.ts';

/** Another process of the kit reserves ports, and holds them until its stdin ends. */
async function reservedElsewhere(count: number): Promise<{ ports: readonly number[]; end: () => void }> {
  const door = pathToFileURL(join(packageRoot(), 'dist/src/kit/transport/index.js')).href;
  const code = `const { reservePort } = await import(${JSON.stringify(door)});
    const all = await Promise.all(Array.from({ length: ${count} }, reservePort));
    process.stdin.resume().on('end', () => process.exit());
    console.log(JSON.stringify(all.map(({ port }) => port)));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const line = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.endsWith('\n')) resolve(text);
    });
  });
  return { ports: JSON.parse(line) as readonly number[], end: () => child.stdin.end() };
}

describe('reserved ports', () => {
  it('are given out once, to two processes that ask for 200 at a time', async () => {
    const [near, far] = await Promise.all([reservedElsewhere(200), reservedElsewhere(200)]);
    const ports = [...near.ports, ...far.ports];
    near.end();
    far.end();
    expect(new Set(ports).size).toBe(400);
  });

  it('are free for the program that they are reserved for, and given out again when they are released', async () => {
    const reserved = await Promise.all(Array.from({ length: 200 }, reservePort));
    expect(new Set(reserved.map(({ port }) => port)).size).toBe(200);
    const [first] = reserved;
    const server = createServer().listen(first?.port, '127.0.0.1');
    await new Promise((resolve) => void server.once('listening', resolve));
    expect((server.address() as AddressInfo).port).toBe(first?.port);
    server.close();
    for (const { release } of reserved) release();
  });

  it('are not those that a system gives out by itself', async () => {
    const { port, release } = await reservePort();
    release();
    expect(port).toBeLessThan(32_768);
  });
});
