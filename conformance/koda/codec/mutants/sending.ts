/** Codecs that send something else than messages: other tags, absent fields, other forms. */
import { camel, echoes, pascal, sends, snake } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

/** Changes the tag of the message. */
const editType =
  (edit: (tag: string) => string): ((sent: string) => string) =>
  (sent) =>
    sent.replace(/(?<=^\{"type":")\w+/, edit);

/** Changes the tag of a part of the message. It is after this text. */
const editTag =
  (before: string, edit: (tag: string) => string) =>
  (sent: string): string =>
    sent.replace(new RegExp(`(?<=${before}")\\w+(?=")`), edit);

/** Leaves out a member of one of these names with this value. */
const omits =
  (names: string, value: string) =>
  (sent: string): string =>
    sent.replaceAll(new RegExp(`,"(?:${names})":${value}(?=[,}])`, 'g'), '');

const slash = /^\{"type":"slash_command","cmd":"(\w+)"(?:,(.*))?\}$/s;

export const sendingFaults: CodecFaults = {
  'camel-types': sends(editType(camel)),
  'pascal-types': sends(editType(pascal)),
  'upper-types': sends(editType((tag) => tag.toUpperCase())),
  'pascal-kinds': sends(editTag('"reason":\\{"kind":', pascal)),
  'snake-previews': sends(editTag('"preview":\\{"kind":', snake)),
  'american-cancelled': sends((sent) =>
    sent.replace('"reason":{"kind":"cancelled"', '"reason":{"kind":"canceled"'),
  ),
  'pascal-decisions': sends(editTag('"decision":\\{"decision":', pascal)),
  'underscore-actions': sends(
    editTag('"loop_decision","action":', (tag) => tag.replace(/(?<=^continue)(?=\d)/, '_')),
  ),
  'camel-commands': sends(editTag('"slash_command","cmd":', camel)),
  'renames-type': sends((sent) => sent.replace(/^\{"type"/, '{"event"')),
  'sends-strings': sends((sent) => JSON.stringify(sent)),
  'sends-two': sends((sent) => `${sent}\n{}`),

  'omits-preview': sends(omits('preview', 'null')),
  'omits-action': sends(omits('action', 'null')),
  'omits-images': sends(omits('images', '\\[\\]')),
  'omits-empty-lists': sends(omits('options|recent_tools|first_lines|old_lines|new_lines', '\\[\\]')),
  'omits-false': sends(omits('is_stderr|truncated|recursive', 'false')),
  'omits-zeros': sends(omits('\\w+', '0')),
  'omits-empty-strings': sends(omits('output|name|tool_name|detail|context', '""')),
  'nulls-for-lists': sends((sent) => sent.replaceAll(/(?<="(?:options|recent_tools|images)":)\[\]/g, 'null')),
  'loses-images': sends((sent) => sent.replace(/(?<="images":\[\{[^}]*\}).*(?=\]\}$)/, '')),
  'loses-replacements': sends((sent) => sent.replace(/(?<="replacements":\[\{[^}]*\}),\{[^}]*\}/, '')),
  'trims-strings': sends((sent) => sent.replace(/(?<="text":")\s+/, '')),
  'composes-strings': sends((sent) => sent.normalize('NFC')),
  'unites-line-ends': sends((sent) => sent.replaceAll('\\r\\n', '\\n')),
  'null-for-empty': sends((sent) => sent.replace('"action":""', '"action":null')),
  'drops-repetitions': sends((sent) =>
    sent.replaceAll(/(?<="(?:options|recent_tools|first_lines|old_lines|new_lines)":)\[[^\]]*\]/g, (list) =>
      JSON.stringify([...new Set(JSON.parse(list) as string[])]),
    ),
  ),

  'bare-reasons': sends((sent) => sent.replace(/(?<="reason":)\{"kind":("\w+")\}/, '$1')),
  'bare-decisions': sends((sent) => sent.replace(/(?<="decision":)\{"decision":("\w+")\}/, '$1')),
  'bare-previews': sends((sent) => sent.replace(/(?<="preview":)\{"kind":("\w+")\}/, '$1')),

  'object-actions': sends((sent) => sent.replace(/(?<="loop_decision","action":)("\w+")/, '{$1:null}')),
  'echoes-actions': echoes(({ fault }) => fault === 'object-action'),

  'positional-messages': sends((sent) =>
    sent.replace(/^\{"type":("(?:text|thinking)_delta"),"text":(.*)\}$/s, '[$1,$2]'),
  ),
  'positional-decisions': sends((sent) => sent.replace(/(?<="decision":)\{"decision":("\w+")\}/, '[$1]')),
  'numeric-kinds': sends((sent) =>
    sent.replace(/(?<="reason":\{"kind":)"(?:complete|cancelled)"/, (kind) =>
      kind === '"complete"' ? '0' : '1',
    ),
  ),
  'echoes-arrays': echoes(({ fault }) => fault === 'positional', 'koda.encode'),
  'echoes-numbers': echoes(({ fault }) => fault === 'numeric-tag', 'koda.encode'),

  'nests-commands': sends((sent) =>
    sent.replace(slash, (_, tag: string, fields = '') => `{"type":"slash_command","${tag}":{${fields}}}`),
  ),
  'nests-in-cmd': sends((sent) => sent.replace(/^(\{"type":"slash_command","cmd":)(.*)$/s, '$1{"cmd":$2}')),
};
