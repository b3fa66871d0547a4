/** Codecs that look for tags in the wrong place, or take other tags. */
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { decodeText, kodaTesteeWith } from '../../../../src/koda/index.ts';
import { echoes, mutant, pascal, refuses, snake, takesAs } from './mutant.ts';

/** Reads unknown tags as edited ones. */
const readsTags = (edit: (tag: string) => string): AnswerFault =>
  takesAs((text, { fault }) =>
    fault === 'unknown-tag'
      ? text.replaceAll(/(?<="(?:type|kind|decision|cmd|action)":")[^"\\]*(?:\\.[^"\\]*)*(?=")/g, (tag) =>
          edit(JSON.parse(`"${tag}"`) as string),
        )
      : text,
  );

const readsTag = (from: string, to: string): AnswerFault => readsTags((tag) => (tag === from ? to : tag));

const isTagFirst = (text: string): boolean => /^\s*\{\s*"type"/.test(text);

/** The mutants of tags. */
export const tagMutants: readonly Mutant[] = [
  mutant(
    3,
    'tag-first',
    'It reads the type only as the first member.',
    refuses((text) => !isTagFirst(text)),
  ),
  mutant(
    3,
    'nested-tag-first',
    'It reads the tag of a part only as the first member.',
    refuses((text) => /"(?:reason|preview|decision)":\{"(?!kind"|decision")/.test(text)),
  ),
  mutant(
    3,
    'cmd-second',
    'It reads cmd only as the member behind type.',
    refuses((text) => text.includes('"slash_command"') && !/"slash_command",\s*"cmd"/.test(text)),
  ),

  mutant(
    64,
    'ignores-case',
    'It reads tags in any case.',
    readsTags((tag) => tag.toLowerCase()),
  ),
  mutant(
    64,
    'trims-tags',
    'It trims tags.',
    readsTags((tag) => tag.trim()),
  ),
  mutant(64, 'reads-pascal', 'It reads tags in PascalCase and camelCase, too.', readsTags(snake)),
  mutant(
    64,
    'reads-snake-previews',
    'It reads the kinds of previews in snake_case, too.',
    takesAs((text) => text.replace(/(?<="preview":\{"kind":")\w+/, pascal)),
  ),
  mutant(64, 'reads-canceled', 'It reads canceled, too.', readsTag('canceled', 'cancelled')),
  mutant(64, 'reads-continue_50', 'It reads continue_50, too.', readsTag('continue_50', 'continue50')),
  mutant(
    64,
    'reads-hyphens',
    'It reads hyphens as underscores.',
    readsTags((tag) => tag.replaceAll('-', '_')),
  ),
  mutant(
    64,
    'reads-approved',
    'It reads past participles as decisions, too.',
    readsTag('approved', 'approve'),
  ),

  mutant(
    5,
    'takes-unknown-types',
    'It takes messages of unknown types.',
    echoes(({ fault, path }) => fault === 'unknown-tag' && path === 'type'),
  ),
  mutant(
    5,
    'takes-both-kinds',
    'It takes events and commands alike.',
    echoes(
      ({ fault }, text) =>
        fault === 'unknown-tag' && (decodeText('event', text).ok || decodeText('command', text).ok),
    ),
  ),
  mutant(
    5,
    'takes-sub_agent_end',
    'It takes sub_agent_end.',
    echoes((_, text) => text.includes('"sub_agent_end"')),
  ),
  mutant(5, 'takes-unknown-reasons', 'It takes any reason as error.', readsTag('max_tokens', 'complete')),
  mutant(
    5,
    'takes-unknown-previews',
    'It takes a preview of an unknown kind for none.',
    takesAs((text) => text.replace(/\{"kind":"Rename"[^}]*\}/, 'null')),
  ),
  mutant(5, 'takes-unknown-actions', 'It takes an unknown action for stop.', readsTag('continue100', 'stop')),
  mutant(
    5,
    'takes-null-tags',
    'It takes null for a kind.',
    echoes((_, text) => text.includes('"kind":null')),
  ),

  {
    id: 'reads-as-serde',
    breaks: 'KODA-69',
    title: 'It reads all that serde reads.',
    make: () => testeeOf(kodaTesteeWith({ serde: true })),
  },
  mutant(
    69,
    'takes-arrays',
    'It takes an array of fields.',
    echoes(({ fault }) => fault === 'positional', 'koda.decode'),
  ),
  mutant(
    69,
    'takes-numbers',
    'It takes the number of a tag.',
    echoes(({ fault }) => fault === 'numeric-tag', 'koda.decode'),
  ),
];
