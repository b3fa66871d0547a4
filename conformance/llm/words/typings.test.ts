/** `npm run drift` reads words from typings. Each test has the typings that it reads, in the forms that SDKs have. */
import { expect, it } from 'vitest';
import { wordsOf } from '../../../.config/drift/typings.mjs';
import type { Source } from '../../../.config/drift/typings.mjs';

/** Reads one source of typings, which are one file or several by their paths. */
function read(
  typings: string | { readonly [path: string]: string },
  source: Partial<Source> & Pick<Source, 'type' | 'read'>,
): string[] {
  const files = typeof typings === 'string' ? { 'index.d.ts': typings } : typings;
  const all: Source = { kind: 'event', stage: 'stable', file: 'index.d.ts', ...source };
  return wordsOf([all], (path) => files[path]).map(({ word }) => word);
}

it('reads the discriminant of each member of a union, through aliases and unions in it', () => {
  const typings = `
    interface Start { type: 'start' }
    interface Stop { type: 'stop' | 'halt' }
    type Ends = Stop;
    export type Event = Start | Ends | { type: 'ping' };`;
  expect(read(typings, { type: 'Event', read: 'type' })).toEqual(['start', 'stop', 'halt', 'ping']);
});

it('reads types of other files', () => {
  const files = {
    'events/index.d.ts': `import * as Deltas from "../deltas.js"; export type Event = Deltas.Text | Deltas.Sign;`,
    'deltas.d.ts': `export interface Text { type: 'text' } export interface Sign { type: 'sign' }`,
  };
  expect(read(files, { file: 'events/index.d.ts', type: 'Event', read: 'type' })).toEqual(['text', 'sign']);
});

it('reads types that a file exports of another one, under another name, or not at all', () => {
  const files = {
    'index.d.ts': `export * from './events.js'; export { Old as New } from './events.js'; declare type Own = 'own'; export {};`,
    'events.d.ts': `export type Event = 'a' | 'b'; type Old = 'old'; export { Old };`,
  };
  expect(read(files, { type: 'Event', read: 'literals' })).toEqual(['a', 'b']);
  expect(read(files, { type: 'New', read: 'literals' })).toEqual(['old']);
  expect(read(files, { type: 'Own', read: 'literals' })).toEqual(['own']);
});

it('goes through namespaces, members and lists to a type, and passes over null', () => {
  const typings = `
    export interface Chunk { choices: Array<Chunk.Choice> }
    export declare namespace Chunk {
      interface Choice { finish_reason: 'stop' | 'length' | null; notes?: Array<{ type: 'cite' }> }
    }`;
  expect(read(typings, { type: 'Chunk.Choice.finish_reason', read: 'literals' })).toEqual(['stop', 'length']);
  expect(read(typings, { type: 'Chunk.choices.[].finish_reason', read: 'literals' })).toEqual([
    'stop',
    'length',
  ]);
  expect(read(typings, { type: 'Chunk.Choice.notes.[]', read: 'type' })).toEqual(['cite']);
});

it('reads enums, objects of constants and open sets', () => {
  const typings = `
    export declare enum Finish { STOP = "STOP", OTHER = "OTHER" }
    export declare const Stop: { readonly END: "end"; readonly MAX: "max" };
    export type Stop = (typeof Stop)[keyof typeof Stop];
    export type Model = 'one' | 'two' | (string & {});`;
  expect(read(typings, { type: 'Finish', read: 'literals' })).toEqual(['STOP', 'OTHER']);
  expect(read(typings, { type: 'Stop', read: 'literals' })).toEqual(['end', 'max']);
  expect(read(typings, { type: 'Model', read: 'literals' })).toEqual(['one', 'two']);
});

it('reads the names of members, with those of objects in them, and not those of lists and texts', () => {
  const typings = `
    interface Details { cached: number; written?: number | null }
    export interface Usage { input: number; details: Details | null; tier: 'a' | 'b'; rounds: Array<Details> }`;
  expect(read(typings, { type: 'Usage', read: 'members' })).toEqual([
    'input',
    'details',
    'details.cached',
    'details.written',
    'tier',
    'rounds',
  ]);
  expect(read(typings, { type: 'Usage', read: 'names' })).toEqual(['input', 'details', 'tier', 'rounds']);
});

it('reads unions whose members are named by their only member, without those that are not on the wire', () => {
  const typings = `
    type Text = { text: string; image?: never };
    type Image = { image: number; text?: never };
    export type Block = Text | Image | { $unknown: [string, any] };`;
  expect(read(typings, { type: 'Block', read: 'names', without: ['$unknown'] })).toEqual(['text', 'image']);
});

it('reads on where the typings use a package that is not there, and refuses a union that rests on it', () => {
  const typings = `
    import * as z from "zod/v4";
    export declare const schema: z.ZodType<Event>;
    export type Event = { type: 'a' } | { type: 'b'; schema: z.Schema };
    export type Unknowable = { type: 'a' } | (z.Other & { type: 'b' });`;
  expect(read(typings, { type: 'Event', read: 'type' })).toEqual(['a', 'b']);
  expect(() => read(typings, { type: 'Unknowable', read: 'type' })).toThrow('has no words');
});

it('calls a word stable that is in stable typings and in beta ones', () => {
  const files: { readonly [path: string]: string } = {
    'index.d.ts': `export type Block = { type: 'text' };`,
    'beta.d.ts': `export type BetaBlock = { type: 'text' } | { type: 'fallback' };`,
  };
  const sources: Source[] = [
    { kind: 'block', stage: 'beta', file: 'beta.d.ts', type: 'BetaBlock', read: 'type' },
    { kind: 'block', stage: 'stable', file: 'index.d.ts', type: 'Block', read: 'type' },
  ];
  expect(wordsOf(sources, (path) => files[path])).toEqual([
    { kind: 'block', word: 'text', stage: 'stable' },
    { kind: 'block', word: 'fallback', stage: 'beta' },
  ]);
});

it('says which type is missing, or has no words', () => {
  const typings = `export interface Usage { input: number }`;
  expect(() => read(typings, { type: 'Other', read: 'type' })).toThrow('index.d.ts has no type Other');
  expect(() => read(typings, { type: 'Usage.output', read: 'literals' })).toThrow('no type Usage.output');
  expect(() => read(typings, { type: 'Usage', read: 'type' })).toThrow(
    'Usage of index.d.ts has no words (type)',
  );
  expect(() => read({}, { type: 'Usage', read: 'type' })).toThrow('index.d.ts has no type Usage');
});
