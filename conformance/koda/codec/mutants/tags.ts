/** Codecs that look for tags in the wrong place, or take other tags. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { decodeText, kodaTesteeWith } from '../../../../src/koda/index.ts';
import { echoes, pascal, refuses, snake, takesAs } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

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

export const tagFaults: CodecFaults = {
  'tag-first': refuses((text) => !isTagFirst(text)),
  'nested-tag-first': refuses((text) => /"(?:reason|preview|decision)":\{"(?!kind"|decision")/.test(text)),
  'cmd-second': refuses((text) => text.includes('"slash_command"') && !/"slash_command",\s*"cmd"/.test(text)),

  'ignores-case': readsTags((tag) => tag.toLowerCase()),
  'trims-tags': readsTags((tag) => tag.trim()),
  'reads-pascal': readsTags(snake),
  'reads-snake-previews': takesAs((text) => text.replace(/(?<="preview":\{"kind":")\w+/, pascal)),
  'reads-canceled': readsTag('canceled', 'cancelled'),
  'reads-continue_50': readsTag('continue_50', 'continue50'),
  'reads-hyphens': readsTags((tag) => tag.replaceAll('-', '_')),
  'reads-approved': readsTag('approved', 'approve'),

  'takes-unknown-types': echoes(({ fault, path }) => fault === 'unknown-tag' && path === 'type'),
  'takes-both-kinds': echoes(
    ({ fault }, text) =>
      fault === 'unknown-tag' && (decodeText('event', text).ok || decodeText('command', text).ok),
  ),
  'takes-sub_agent_end': echoes((_, text) => text.includes('"sub_agent_end"')),
  'takes-unknown-reasons': readsTag('max_tokens', 'complete'),
  'takes-unknown-previews': takesAs((text) => text.replace(/\{"kind":"Rename"[^}]*\}/, 'null')),
  'takes-unknown-actions': readsTag('continue100', 'stop'),
  'takes-null-tags': echoes((_, text) => text.includes('"kind":null')),

  'reads-as-serde': { make: () => testeeOf(kodaTesteeWith({ serde: true })) },
  'takes-arrays': echoes(({ fault }) => fault === 'positional', 'koda.decode'),
  'takes-numbers': echoes(({ fault }) => fault === 'numeric-tag', 'koda.decode'),
};
