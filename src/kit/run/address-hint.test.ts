/** Whether a command tells a program where to dial. */
import { expect, it } from 'vitest';
import { addressHint } from './address-hint.ts';

it.each([
  [['./a', '{address}'], ''],
  [['./a', '--url={url}'], ''],
  [['./a', '--port', '{port}'], ''],
  [
    ['./a', '{adress}'],
    '; its command has no {address}, which is where it must dial (also in WIREPROOF_ADDRESS)',
  ],
])('the hint of %j', (command, hint) =>
  expect(addressHint({ kind: 'command', command, env: {} })).toBe(hint),
);

it('is of commands only', () => {
  expect(addressHint({ kind: 'listen', host: '127.0.0.1', port: 1 })).toBe('');
});
