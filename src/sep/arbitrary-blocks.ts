/** Generators of outputs with the tags of extensions: any pieces of them, and blocks that are nested as they should be. */
import fc from 'fast-check';
import { outputs } from './arbitrary.ts';

/** The tags of extensions. */
export const extensionTags: readonly string[] = [
  '<if test="$a">',
  "<if test='$a > 1 and not $out_b'>",
  '<if test="$a[">',
  '<if>',
  '<else/>',
  '<else>',
  '</if >',
  '<foreach in="[1, 2]">',
  '<foreach in="$a" as="a" index="n">',
  '<foreach\nin=["x"]>',
  '</foreach>',
  '<parallel>',
  '<parallel id="g">',
  '</parallel>',
  '<template name="t">',
  '</template>',
];

/** Texts and tags of extensions in any order, without another tag. */
export const extensionTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...extensionTags, '<if', '</fore', '<template name='),
      fc.stringMatching(/^[a-z $>/="]{0,6}$/),
    ),
    { maxLength: 20 },
  )
  .map((all) => all.join(''));

const body = (more: object = {}): string => JSON.stringify({ name: 'n', ...more });

const wholeTags: readonly string[] = [
  `<action type="tool" mode="sync" id="a">${body()}</action>`,
  `<action type="tool" mode="async" id="b">${body({ depends_on: ['c'], output_key: 'out_b' })}</action>`,
  `<action type="tool" mode="sync" id="c">${body({ depends_on: ['b'], parameters: { p: '$item' } })}</action>`,
  `<action type="template" mode="async" id="d">${JSON.stringify({ name: 't', parameters: { p: '$a' } })}</action>`,
  `<template name="t">${body({ parameters: { p: '$p </template>' } })}</template>`,
  '<response>$a $item</response>',
  '<response final="false">$out_b</response>',
  '<thought>hm<thought>deep</thought></thought>',
];

/** Outputs with pieces of all tags. */
export const blockOutputs: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...extensionTags) },
      { weight: 3, arbitrary: fc.constantFrom(...wholeTags) },
      { weight: 1, arbitrary: outputs },
    ),
    { maxLength: 20 },
  )
  .map((all) => all.join(''));

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const texts = fc.oneof(
  ids.map((id) => `$${id}`),
  fc.constantFrom('$item', 'n. $index', '$g', '$out_a', '$$a', 'x'),
);

const action: fc.Arbitrary<string> = fc
  .record({
    id: ids,
    mode: fc.constantFrom('sync', 'async', 'fire_and_forget'),
    name: fc.constantFrom('good', 'bad', 'list', 'slow', 'late'),
    depends_on: fc.uniqueArray(fc.oneof(ids, fc.constantFrom('g', 'a_0', 'nobody')), { maxLength: 2 }),
    output_key: fc.option(fc.constant('out_a'), { nil: undefined }),
    text: texts,
    on_error: fc.constantFrom('skip', 'skip', 'skip', 'fail'),
    timeout: fc.option(fc.constant(2), { nil: undefined }),
  })
  .map(
    ({ id, mode, text, ...rest }) =>
      `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify({ ...rest, parameters: { text } })}</action>`,
  );

const conditions = fc.oneof(
  ids.map((id) => `$${id}`),
  fc.constantFrom(
    'true',
    'false',
    '$item > 1',
    'defined $a and not $b',
    "'x' in $c",
    '$g.a == 1',
    '$$',
    '$nobody',
  ),
);

const lists = fc.oneof(
  ids.map((id) => `$${id}`),
  fc.constantFrom('[]', '[1,2,3]', "['$a']", '$item', '$nobody', '7', '[[1],[2]]'),
);

/** Outputs of nested blocks: actions that name each other, in any order and from outside of their block. */
export const nestedBlocks: fc.Arbitrary<string> = fc
  .letrec<{ part: string; parts: string }>((tie) => ({
    parts: fc.array(tie('part'), { maxLength: 4 }).map((all) => all.join('')),
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      action,
      action,
      texts.map((text) => `<response final="false">${text} ${text}</response>`),
      texts.map((text) => `<thought>${text}</thought>${text}`),
      fc.constantFrom('<response>$a</response>', '<response>$item $g</response>'),
      fc
        .tuple(conditions, tie('parts'), fc.option(tie('parts'), { nil: undefined }))
        .map(([test, yes, no]) => `<if test="${test}">${yes}${no === undefined ? '' : `<else/>${no}`}</if>`),
      fc.tuple(lists, tie('parts')).map(([list, parts]) => `<foreach in="${list}">${parts}</foreach>`),
      fc
        .tuple(fc.boolean(), tie('parts'))
        .map(([named, parts]) => `<parallel${named ? ' id="g"' : ''}>${parts}</parallel>`),
    ),
  }))
  .parts.chain((first) => fc.array(action, { maxLength: 3 }).map((more) => first + more.join('')));

/** A part of a loop: an action, or a response that is not final. */
export interface LoopPart {
  readonly id: string | undefined;
  /** As it is written, with the ids of the loop as this function calls them. */
  readonly write: (named: (id: string) => string, item: string, index: string) => string;
}

/**
 * The contents of loops without blocks, whose ids differ. `item` and `index` are texts in them. None depends on a later
 * one: when a cycle fails depends on what is queued, and what gathers outputs is queued, too.
 */
export const loopContents: fc.Arbitrary<readonly LoopPart[]> = fc
  .uniqueArray(
    fc.record({
      id: ids,
      mode: fc.constantFrom('sync', 'async'),
      name: fc.constantFrom('good', 'bad', 'slow'),
      depends_on: fc.uniqueArray(fc.oneof(ids, fc.constant('before')), { maxLength: 2 }),
      refers: fc.oneof(ids, fc.constant('before')),
      speaks: fc.boolean(),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
  )
  .map((all) =>
    all.flatMap(({ id, mode, name, depends_on: others, refers, speaks }, at): readonly LoopPart[] => {
      const depends_on = others.filter((one) => !all.slice(at).some((later) => later.id === one));
      return [
        {
          id,
          write: (named, item, index) => {
            const parameters = { of: `$${named(refers)}`, item, text: `${index}. ${item}` };
            const written = JSON.stringify({ name, depends_on: depends_on.map(named), parameters });
            return `<action type="tool" mode="${mode}" id="${named(id)}">${written}</action>`;
          },
        },
        {
          id: undefined,
          write: (named, item) =>
            speaks
              ? `<response final="false">${item}: $${named(refers)}</response>`
              : '<thought>hm</thought>',
        },
      ];
    }),
  );
