/** Codecs that send something else than messages: other tags, absent fields, other forms. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { camel, echoes, mutant, pascal, sends, snake } from './mutant.ts';

/** Changes the tag of the message. */
const editType =
  (edit: (tag: string) => string): ((sent: string) => string) =>
  (sent) =>
    sent.replace(/(?<=^\{"type":")\w+/, edit);

/** Changes the tag of a part of the message. It stands behind this text. */
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

/** The mutants of what is sent. */
export const sendingMutants: readonly Mutant[] = [
  mutant(1, 'camel-types', 'It sends the types of messages in camelCase.', sends(editType(camel))),
  mutant(1, 'pascal-types', 'It sends the types of messages in PascalCase.', sends(editType(pascal))),
  mutant(1, 'upper-types', 'It sends types in upper case.', sends(editType((tag) => tag.toUpperCase()))),
  mutant(
    1,
    'pascal-kinds',
    'It sends the kinds of reasons in PascalCase.',
    sends(editTag('"reason":\\{"kind":', pascal)),
  ),
  mutant(
    1,
    'snake-previews',
    'It sends the kinds of previews in snake_case.',
    sends(editTag('"preview":\\{"kind":', snake)),
  ),
  mutant(
    1,
    'american-cancelled',
    'It sends canceled.',
    sends((sent) => sent.replace('"reason":{"kind":"cancelled"', '"reason":{"kind":"canceled"')),
  ),
  mutant(
    1,
    'pascal-decisions',
    'It sends decisions in PascalCase.',
    sends(editTag('"decision":\\{"decision":', pascal)),
  ),
  mutant(
    1,
    'underscore-actions',
    'It sends continue_50 and continue_200.',
    sends(editTag('"loop_decision","action":', (tag) => tag.replace(/(?<=^continue)(?=\d)/, '_'))),
  ),
  mutant(
    1,
    'camel-commands',
    'It sends slash commands in camelCase.',
    sends(editTag('"slash_command","cmd":', camel)),
  ),
  mutant(
    1,
    'renames-type',
    'It calls the tag event.',
    sends((sent) => sent.replace(/^\{"type"/, '{"event"')),
  ),
  mutant(
    1,
    'sends-strings',
    'It sends each message as a string.',
    sends((sent) => JSON.stringify(sent)),
  ),
  mutant(
    1,
    'sends-two',
    'It sends a second object behind each message.',
    sends((sent) => `${sent}\n{}`),
  ),

  mutant(2, 'omits-preview', 'It leaves out a preview of null.', sends(omits('preview', 'null'))),
  mutant(2, 'omits-action', 'It leaves out an action of null.', sends(omits('action', 'null'))),
  mutant(2, 'omits-images', 'It leaves out images without an image.', sends(omits('images', '\\[\\]'))),
  mutant(
    2,
    'omits-empty-lists',
    'It leaves out empty lists of strings.',
    sends(omits('options|recent_tools|first_lines|old_lines|new_lines', '\\[\\]')),
  ),
  mutant(2, 'omits-false', 'It leaves out false.', sends(omits('is_stderr|truncated|recursive', 'false'))),
  mutant(2, 'omits-zeros', 'It leaves out integers of 0.', sends(omits('\\w+', '0'))),
  mutant(
    2,
    'omits-empty-strings',
    'It leaves out empty strings.',
    sends(omits('output|name|tool_name|detail|context', '""')),
  ),
  mutant(
    2,
    'nulls-for-lists',
    'It sends null for empty lists.',
    sends((sent) => sent.replaceAll(/(?<="(?:options|recent_tools|images)":)\[\]/g, 'null')),
  ),
  mutant(
    2,
    'loses-images',
    'It sends the first image alone.',
    sends((sent) => sent.replace(/(?<="images":\[\{[^}]*\}).*(?=\]\}$)/, '')),
  ),
  mutant(
    2,
    'loses-replacements',
    'It sends the first replacement alone.',
    sends((sent) => sent.replace(/(?<="replacements":\[\{[^}]*\}),\{[^}]*\}/, '')),
  ),
  mutant(
    2,
    'trims-strings',
    'It trims the texts of deltas.',
    sends((sent) => sent.replace(/(?<="text":")\s+/, '')),
  ),
  mutant(
    2,
    'composes-strings',
    'It normalizes strings to composed characters.',
    sends((sent) => sent.normalize('NFC')),
  ),
  mutant(
    2,
    'unites-line-ends',
    'It makes CR LF in strings a line feed.',
    sends((sent) => sent.replaceAll('\\r\\n', '\\n')),
  ),
  mutant(
    2,
    'null-for-empty',
    'It sends an empty action as null.',
    sends((sent) => sent.replace('"action":""', '"action":null')),
  ),
  mutant(
    2,
    'drops-repetitions',
    'It sends each text of a list once.',
    sends((sent) =>
      sent.replaceAll(/(?<="(?:options|recent_tools|first_lines|old_lines|new_lines)":)\[[^\]]*\]/g, (list) =>
        JSON.stringify([...new Set(JSON.parse(list) as string[])]),
      ),
    ),
  ),

  mutant(
    18,
    'bare-reasons',
    'It sends a reason without fields as a string.',
    sends((sent) => sent.replace(/(?<="reason":)\{"kind":("\w+")\}/, '$1')),
  ),
  mutant(
    18,
    'bare-decisions',
    'It sends a decision without fields as a string.',
    sends((sent) => sent.replace(/(?<="decision":)\{"decision":("\w+")\}/, '$1')),
  ),
  mutant(
    18,
    'bare-previews',
    'It sends a preview without fields as a string.',
    sends((sent) => sent.replace(/(?<="preview":)\{"kind":("\w+")\}/, '$1')),
  ),

  mutant(
    19,
    'object-actions',
    'It sends the action of loop_decision as an object.',
    sends((sent) => sent.replace(/(?<="loop_decision","action":)("\w+")/, '{$1:null}')),
  ),
  mutant(
    19,
    'echoes-actions',
    'It sends an action as an object when it came as one.',
    echoes(({ fault }) => fault === 'object-action'),
  ),

  mutant(
    20,
    'positional-messages',
    'It sends messages with one field as arrays.',
    sends((sent) => sent.replace(/^\{"type":("(?:text|thinking)_delta"),"text":(.*)\}$/s, '[$1,$2]')),
  ),
  mutant(
    20,
    'positional-decisions',
    'It sends decisions as arrays.',
    sends((sent) => sent.replace(/(?<="decision":)\{"decision":("\w+")\}/, '[$1]')),
  ),
  mutant(
    20,
    'numeric-kinds',
    'It sends the number of a reason.',
    sends((sent) =>
      sent.replace(/(?<="reason":\{"kind":)"(?:complete|cancelled)"/, (kind) =>
        kind === '"complete"' ? '0' : '1',
      ),
    ),
  ),
  mutant(
    20,
    'echoes-arrays',
    'It encodes an array of fields as it came.',
    echoes(({ fault }) => fault === 'positional', 'koda.encode'),
  ),
  mutant(
    20,
    'echoes-numbers',
    'It encodes the number of a tag as it came.',
    echoes(({ fault }) => fault === 'numeric-tag', 'koda.encode'),
  ),

  mutant(
    21,
    'nests-commands',
    'It sends the fields of a slash command in an object with its name.',
    sends((sent) =>
      sent.replace(slash, (_, tag: string, fields = '') => `{"type":"slash_command","${tag}":{${fields}}}`),
    ),
  ),
  mutant(
    21,
    'nests-in-cmd',
    'It sends the slash command in cmd.',
    sends((sent) => sent.replace(/^(\{"type":"slash_command","cmd":)(.*)$/s, '$1{"cmd":$2}')),
  ),
];
