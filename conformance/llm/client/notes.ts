/** The words of the tests of clients: a text, and calls of the three tools for notes. */
import type { JsonObject } from '../../../src/kit/base/index.ts';

/** A text with characters of several bytes, so that cuts inside characters are visible. */
export const unicode = 'Grüße aus Zürich: 日本語, naïve café, 👩‍🚀 and 🎉.';

/** The arguments that are cut. They contain every kind of JSON value, in several parameters. */
export const cutArguments: JsonObject = {
  title: 'Ein "Titel"',
  body: 'line one\nline two, é and 日本',
  priority: 12_345,
  ratio: -0.25,
  pinned: true,
  parent: null,
  tags: ['a', 'b\\c', { deep: [1, false] }],
};

/** A call of the tool `write_note`. */
export const writeNote = (input: JsonObject): JsonObject => ({ tool_call: { name: 'write_note', input } });

/** A call of the tool `read_note`. */
export const readNote = (title: string): JsonObject => ({
  tool_call: { name: 'read_note', input: { title } },
});

/** A call of the tool `list_notes`, which has no parameters. */
export const listNotes: JsonObject = { tool_call: { name: 'list_notes', input: {} } };

/** A call of the custom tool `apply_patch`: free text, which is no JSON. */
export const applyPatch = (file: string): JsonObject => ({
  tool_call: {
    name: 'apply_patch',
    custom: true,
    arguments: `*** Begin Patch\n*** Update File: ${file}\n@@\n-Milk "and" bread\n+Milk, brød and 🍎\n*** End Patch`,
  },
});

/** The tools of every turn, with the results that the testee sends. */
export const noteTools: readonly JsonObject[] = [
  {
    name: 'write_note',
    description: 'Writes a note down.',
    input_schema: {
      type: 'object',
      properties: { title: { type: 'string' }, body: { type: 'string' } },
      // A call that is cut in its first parameter under a false stop reason differs only by this from a call of a tool
      // without parameters.
      required: ['title'],
    },
    output: 'Written.',
  },
  {
    name: 'read_note',
    description: 'Reads a note.',
    input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    output: 'Milk, bread and a 🍎.',
  },
  {
    name: 'list_notes',
    description: 'Lists the titles of all notes.',
    input_schema: { type: 'object', properties: {} },
    output: 'shopping',
  },
];

/** The same tools, whose arguments come as they are generated, where the dialect can send them so. */
export const eagerTools: readonly JsonObject[] = noteTools.map((tool) => ({ ...tool, eager: true }));

/**
 * The same tools, and the custom tool `apply_patch`. A client without custom tools can offer it as a function, with its
 * schema; the provider then does not call it.
 */
export const patchTools: readonly JsonObject[] = [
  ...noteTools,
  {
    name: 'apply_patch',
    description: 'Edits files. Its input is a patch as text.',
    custom: true,
    input_schema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
    output: 'Done.',
  },
];
