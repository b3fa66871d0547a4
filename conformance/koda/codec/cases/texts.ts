/** Makes the rows of case tables of the table of forms: each row is a text that differs from a message in one place. */
import type { Json } from '../../../../src/kit/base/index.ts';
import { listArgument, numberArgument, textArgument } from '../../../../src/kit/spec/index.ts';
import type { CaseBuilders } from '../../../../src/kit/spec/index.ts';
import { forms } from './forms.ts';
import type { FieldType, Form, FormField, Member } from './forms.ts';

/** The members of a form as a message has them: the tags, then the fields. */
const membersOf = ({ tags, fields }: Form): readonly Member[] => [
  ...tags,
  ...fields.map(({ name, sample }): Member => [name, sample]),
];

/** The text of the message, whose form has these members. */
const textWith = ({ around }: Form, members: readonly Member[]): string =>
  around(`{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);

/** The text of the message. */
const textOf = (form: Form): string => textWith(form, membersOf(form));

/** The form with another value of a member. */
const textWithValue = (form: Form, name: string, value: string): string =>
  textWith(
    form,
    membersOf(form).map((member) => (member[0] === name ? [name, value] : member)),
  );

/** A row of a form or of one of its members: the name in its id, the name in its comment, kind and text. */
const row = ({ name, kind }: Form, text: string, member?: string, ...more: readonly Json[]): Json =>
  member === undefined
    ? [name, name, kind, text, ...more]
    : [`${name}-${member}`, `${member} of ${name}`, kind, text, ...more];

/** A row for each field of some types. */
const ofTypes = (types: readonly Json[], make: (form: Form, field: FormField) => Json): readonly Json[] =>
  forms.flatMap((form) =>
    form.fields.filter(({ type }) => types.includes(type)).map((field) => make(form, field)),
  );

const absentMeansNull: readonly FieldType[] = ['preview?', 'string?', 'images'];

/** The rows about sending that each message shows. */
function sendingRows(form: Form, text: string): readonly string[] {
  const shown: readonly (readonly [string, boolean])[] = [
    ['KODA-01', true],
    ['KODA-02', true],
    ['KODA-12', form.fields.some(({ type }) => type === 'f64')],
    ['KODA-18', /"(?:reason|decision|preview)":\{/.test(text)],
    ['KODA-19', form.name === 'loop_decision'],
    ['KODA-20', true],
    ['KODA-21', form.name.startsWith('slash-')],
  ];
  return shown.flatMap(([id, isShown]) => (isShown ? [id] : []));
}

/** The other spellings of a tag that a lax reader may take for it. */
function misspellings(tag: string): readonly (readonly [name: string, tag: string])[] {
  const words = tag
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split('_');
  const pascal = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  const all: readonly (readonly [string, string])[] = [
    ['upper', tag.toUpperCase()],
    ['pascal', pascal],
    ['camel', pascal.slice(0, 1).toLowerCase() + pascal.slice(1)],
    ['snake', words.join('_')],
    ['blank', `${tag} `],
  ];
  return all.filter(([, one], i) => one !== tag && all.findIndex(([, other]) => other === one) === i);
}

/** An array of the fields, with the tags first, as serde reads it in the place of the object. */
const positional = (form: Form): string =>
  form.around(
    `[${membersOf(form)
      .map(([, value]) => value)
      .join(',')}]`,
  );

/** The builders of the tables. Each row has a name, a subject, a kind, a text, and where it says so more. */
export const messageBuilders: CaseBuilders = {
  /** Every form as it is sent, and the rows that it shows. */
  messages: () => forms.map((form) => row(form, textOf(form), undefined, sendingRows(form, textOf(form)))),

  /** The tag or the tags after the fields. The message itself is the fifth cell. */
  tagsLast: () =>
    forms
      .filter((form) => form.tags.length > 0 && membersOf(form).length > 1)
      .map((form) => row(form, textWith(form, membersOf(form).toReversed()), undefined, textOf(form))),
  /** The tags between two fields. */
  tagsMiddle: () =>
    forms
      .filter((form) => form.tags.length > 0 && form.fields.length > 1)
      .map((form) => {
        const [first, ...rest] = membersOf({ ...form, tags: [] });
        const members = [...(first === undefined ? [] : [first]), ...form.tags, ...rest];
        return row(form, textWith(form, members), undefined, textOf(form));
      }),

  /** An unknown member, after the others. The message itself is the fifth cell. */
  unknownField: (name, value) =>
    forms.map((form) => {
      const members = [...membersOf(form), [textArgument(name), textArgument(value)] as const];
      return row(form, textWith(form, members), undefined, textOf(form));
    }),

  /** Without a required field, but not without args. */
  missingFields: () =>
    forms.flatMap((form) =>
      form.fields
        .filter(({ type }) => type !== 'json' && !absentMeansNull.includes(type))
        .map(({ name }) =>
          row(
            form,
            textWith(
              form,
              membersOf(form).filter(([own]) => own !== name),
            ),
            name,
          ),
        ),
    ),
  /** Without a tag. */
  missingTags: () =>
    forms.flatMap((form) =>
      form.tags.map(([name]) =>
        row(
          form,
          textWith(
            form,
            membersOf(form).filter(([own]) => own !== name),
          ),
          name,
        ),
      ),
    ),
  /** Without a field that may be absent. The fifth cell is the message that it means. */
  absentFields: () =>
    ofTypes([...absentMeansNull], (form, { name, type }) =>
      row(
        form,
        textWith(
          form,
          membersOf(form).filter(([own]) => own !== name),
        ),
        name,
        textWithValue(form, name, type === 'images' ? '[]' : 'null'),
      ),
    ),

  /** A field or a tag that comes twice with one value, the second time after the others. */
  doubledMembers: () =>
    forms.flatMap((form) =>
      membersOf(form).map((member) => row(form, textWith(form, [...membersOf(form), member]), member[0])),
    ),

  /** Every field of some types with this value. */
  withValue: (types, value) =>
    ofTypes(listArgument(types), (form, { name }) =>
      row(form, textWithValue(form, name, textArgument(value)), name),
    ),

  /** Every tag in other spellings. */
  misspelledTags: () =>
    forms.flatMap((form) => {
      const [name, value] = form.tags.at(-1) ?? [];
      if (name === undefined || value === undefined) return [];
      return misspellings(JSON.parse(value) as string).map(([spelling, tag]) =>
        row({ ...form, name: `${spelling}-${form.name}` }, textWithValue(form, name, JSON.stringify(tag))),
      );
    }),

  /** An array of fields in the place of each object. The message itself is the fifth cell. */
  positionalForms: () => forms.map((form) => row(form, positional(form), undefined, textOf(form))),
  /** The number of a variant in the place of each tag. The message itself is the fifth cell. */
  numericTags: () =>
    forms
      .filter(({ tags }) => tags.length > 0)
      .map((form) => {
        const [name] = form.tags.at(-1) ?? [''];
        return row(form, textWithValue(form, name, String(form.place)), undefined, textOf(form));
      }),

  /** A message with args of this text. */
  call: (args) =>
    `{"type":"tool_call_start","id":"c","name":"Bash","args":${textArgument(args)},"is_sub_agent":false}`,
  /** A text delta with this JSON text as its text. */
  delta: (text) => `{"type":"text_delta","text":${textArgument(text)}}`,
  /** A message of this many nested containers: itself, args, and arrays within args. */
  nested: (containers) => {
    const levels = numberArgument(containers) - 2;
    return callWith(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  },
};

const callWith = (args: string): string =>
  `{"type":"tool_call_start","id":"c","name":"Bash","args":${args},"is_sub_agent":false}`;
