/** The table of forms has every type of message, and its samples are messages. */
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, eventTypes } from '../../../../src/koda/index.ts';
import { forms } from './forms.ts';
import { messageBuilders } from './texts.ts';

type Row = readonly [name: string, what: string, kind: 'event' | 'command', text: string];

const rowsOf = (builder: string): readonly Row[] => messageBuilders[builder]?.() as unknown as readonly Row[];

describe('forms', () => {
  it('are all events, commands, slash commands, reasons, decisions and previews, each once', () => {
    const names = forms.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const events = forms.filter(({ kind, tags }) => kind === 'event' && tags[0]?.[0] === 'type');
    expect(events.map(({ name }) => name).toSorted()).toEqual(Object.keys(eventTypes).toSorted());
    const count = (prefix: string): number => names.filter((name) => name.startsWith(prefix)).length;
    expect(['reason-', 'preview-', 'decision-', 'slash-'].map(count)).toEqual([3, 7, 3, 10]);
    const commands = forms.filter(({ kind, tags }) => kind === 'command' && tags[0]?.[0] === 'type');
    // Six commands, and the ten forms of slash_command.
    expect(commands.length).toBe(6 + 10);
  });

  it.each(rowsOf('messages'))('%s is canonical', (_, __, kind, text) => {
    const decoded = decodeText(kind, text);
    expect(decoded.ok && encodeText(kind, decoded.value.message as never)).toBe(text);
  });
});

describe('rows', () => {
  it.each([
    ['missingFields', 'missing-field'],
    ['missingTags', 'no-tag'],
    ['doubledMembers', 'duplicate-field'],
    ['misspelledTags', 'unknown-tag'],
    ['positionalForms', 'positional'],
    ['numericTags', 'numeric-tag'],
  ])('of %s differ from a message in one thing: %s', (builder, fault) => {
    const rows = rowsOf(builder);
    expect(rows.length).toBeGreaterThan(0);
    for (const [name, , kind, text] of rows) {
      const decoded = decodeText(kind, text);
      expect([name, decoded.ok ? 'ok' : decoded.error.fault]).toEqual([name, fault]);
    }
  });
});
