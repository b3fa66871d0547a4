/** The prompt teaches what the parser reads: its own words are tags and words of the protocol. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { actionModes, actionTypes, errorReactions } from './parser/events.ts';
import { extensionNames } from './parser/extensions.ts';
import { internalActionNames } from './feeds/internal-actions.ts';
import { parseSep } from './parser/parser.ts';
import { tagNames } from './parser/tag.ts';
import { promptOf, sepPrompt } from './prompt.ts';

describe('the prompt', () => {
  it.each([...actionModes, ...errorReactions, ...actionTypes.filter((type) => type !== 'internal')])(
    'names %s',
    (word) => expect(sepPrompt).toMatch(new RegExp(`\\b${word}\\b`)),
  );

  it('shows each tag that a model writes, open and closed', () => {
    for (const name of tagNames.filter((tag) => tag !== 'context_feed')) {
      expect(sepPrompt).toContain(`<${name}`);
      expect(sepPrompt).toContain(`</${name}>`);
    }
  });

  it('stands in the specification', () => {
    const page = readFileSync(new URL('../../spec/sep/prompt.md', import.meta.url), 'utf8');
    const [, text] = /^```text\n(.*)\n```$/ms.exec(page) ?? [];
    expect(text).toBe(promptOf({}));
  });

  it('shows a good and a bad example of each of the four best practices of the source', () => {
    const practices = sepPrompt.split(/^\d\. /m).slice(1);
    expect(practices).toHaveLength(4);
    for (const practice of practices) {
      expect(practice).toMatch(/^Good:.*<(thought|action)[^]*^Bad[^]*<(thought|action)/ms);
      expect(parseSep(practice).filter(({ type }) => type === 'diagnostic')).toEqual([]);
    }
  });

  it('lists tools and feeds, and says nothing of absent ones', () => {
    const prompt = promptOf({
      tools: [
        { name: 'scrape', description: 'Reads a page.' },
        { name: 'judge', type: 'agent', description: 'Judges a text.', parameters: { text: 'x' } },
      ],
      feeds: [{ id: 'now', description: 'The time.' }],
    });
    expect(prompt).toContain(
      '- scrape (tool): Reads a page.\n- judge (agent): Judges a text. Parameters: {"text":"x"}',
    );
    expect(prompt).toContain('- $now: The time.');
    expect(promptOf({})).toBe(sepPrompt);
  });
  it('explains each internal action that the model may use, and no other', () => {
    expect(promptOf({})).not.toContain('internal:');
    const some = promptOf({ internalActions: ['add_context_feed', 'set_variable'] });
    expect(some).toMatch(/^- add_context_feed: .*"interval": SECONDS\.$/m);
    expect(some).not.toContain('remove_context_feed');
    const all = promptOf({ internalActions: internalActionNames });
    for (const name of internalActionNames) expect(all).toContain(`- ${name}: `);
  });

  it.each([
    ['conditions', '<if test='],
    ['loops', '<foreach in='],
    ['groups', '<parallel>'],
    ['templates', '<template name='],
    ['sub_thoughts', '<thought>…<thought>'],
    ['rollback', '"rollback":'],
  ] as const)('teaches the extension %s only if it is on', (name, words) => {
    expect(promptOf({})).not.toContain(words);
    expect(promptOf({ extensions: { [name]: true } })).toContain(words);
    const others = Object.fromEntries(extensionNames.map((one) => [one, one !== name]));
    expect(promptOf({ extensions: others })).not.toContain(words);
  });
});
