/** Which extensions are on: spec/sep/README.md, "Extensions". */
import { expect, it } from 'vitest';
import { extensionNames, extensionsOf, switchesOf } from './extensions.ts';

it('cross-feed references alone are on by default', () => {
  expect([...extensionsOf()]).toEqual(['cross_feed_references']);
});

it('each is switched by its name', () => {
  expect(extensionNames).toHaveLength(10);
  for (const name of extensionNames) {
    expect(extensionsOf(switchesOf([name])).has(name)).toBe(true);
    expect(extensionsOf(switchesOf([`${name}=off`])).has(name)).toBe(false);
  }
});

it('all switches each, and a later text counts', () => {
  expect(extensionsOf(switchesOf(['all', 'loops=off'])).size).toBe(9);
});

it.each(['loop', 'loops=yes', '', 'toString', 'loops=off=on'])('%j is refused with the names', (text) => {
  expect(() => switchesOf([text])).toThrow(/expected NAME, NAME=on or NAME=off.*conditions, loops/);
});
