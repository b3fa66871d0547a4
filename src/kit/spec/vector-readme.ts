/** The README of a folder of golden vectors: what the files hold, and how a program in any language runs them. */
import type { VectorFile } from './vector-set.ts';

/** The README's file. */
export const readmeName: string = 'README.md';

/** The beginning of every README of vectors, by which the command knows its own. */
const headings = { vectors: '# Golden vectors of ', conversations: '# Conversations of ' } as const;

/** Whether a README was written by the command. */
export const isMadeReadme = (text: string): boolean =>
  Object.values(headings).some((heading) => text.startsWith(heading));

/** The README of vectors. The same files give the same text. */
export function textOfReadme(given: readonly VectorFile[]): string {
  const files = given.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [first] = files;
  const { protocol = '', revision = '', generator = '' } = first?.vectors ?? {};
  const notes = new Map(files.flatMap(({ vectors }) => Object.entries(vectors.notes)));
  return `${headings.vectors}${protocol}

Inputs and what must come of them, for tests in any language. \`wireproof fixtures verify FOLDER\` checks a copy.
\`${generator}\` makes these files; the same command makes the same bytes. \`manifest.json\` has the SHA-256 of each file. The revision of
the requirements is ${revision}.

${table(['file', 'tests', 'operations'], rowsOf(files))}

## A test

${table(['member', 'meaning'], membersOf(protocol))}

${notes.size === 0 ? '' : `The flags:\n\n${table(['flag', 'meaning'], flagsOf(notes))}\n\n`}## Run them

Call your library for each test, and compare. In Python:

\`\`\`python
import hashlib, json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
for name, listed in json.loads((folder / 'manifest.json').read_text())['files'].items():
    data = (folder / name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == listed['sha256'], name
    for group in json.loads(data)['groups']:
        for test in group['tests']:
            answer = my_library(group['op'], test)  # an object, or None when it refuses the input
            refusal_is_right = answer is None and test['result'] != 'valid'
            acceptance_is_right = answer is not None and test['result'] != 'invalid' and all(
                answer.get(key) == value for key, value in test.get('expect', {}).items())
            if not (refusal_is_right or acceptance_is_right): print(test['id'], test['comment'], answer)
\`\`\`

The package has whole runners in Python, Go and Rust: \`conformance/examples/vectors\`. They compare the members of answers.
Where \`expect\` has facts instead, \`wireproof check\` judges a testee by them.
`;
}

/** The README of conversations. */
export const conversationsReadme = (suites: readonly string[], generator: string): string =>
  `${headings.conversations}${suites.join(', ')}

Random conversations of the reference implementation on virtual time, one a file. \`${generator}\` makes these files; the same
command makes the same bytes. \`wireproof fixtures verify FOLDER\` checks a copy. \`manifest.json\` has the SHA-256 of each
file. Every conversation exercises a requirement of its suite, and breaks no rule: \`wireproof judge FILE\` judges it again.
A seed whose conversation exercises nothing has no file.

A file is a trace: JSON Lines, described by \`spec/formats/trace.schema.json\`. The first line is the header, with the suite and
the seed. Each further line is an event: \`seq\` counts from 0, \`at\` is the time in ms, \`from\` and \`to\` name the peers. The
peer of the suite is \`target\`. The \`data\` of a message is its JSON, or its protobuf JSON mapping with the field names of the
schema; \`bytes\` are its bytes in base64, where JSON does not show all of them. Secrets are redacted.

\`\`\`python
import json, pathlib, sys
for file in sorted(pathlib.Path(sys.argv[1]).glob('*.jsonl')):
    header, *events = map(json.loads, file.open(encoding='utf-8'))
    for event in events:
        if event['kind'] == 'message': my_recorder(event['stream'], event['from'], event['to'], event['data'])
\`\`\`
`;

const rowsOf = (files: readonly VectorFile[]): readonly (readonly string[])[] =>
  files.map(({ name, vectors: { groups } }) => [
    `\`${name}\``,
    String(groups.reduce((n, { tests }) => n + tests.length, 0)),
    groups.map(({ op }) => `\`${op}\``).join(', '),
  ]);

const membersOf = (protocol: string): readonly (readonly string[])[] => [
  ['`id`', 'Permanent and unique in the protocol, never reused.'],
  ['`comment`', 'The subject of the test, in words.'],
  ['`flags`', 'Keys of the `notes` of the file, which explain them.'],
  [
    '`requirements`',
    'The requirements that a wrong answer violates: `wireproof explain ID`. Empty where no requirement speaks of the input.',
  ],
  [
    '`result`',
    '`valid`: the input must be accepted, and each member of `expect` must hold. `invalid`: it must be refused. `acceptable`: it may be refused; where it is accepted, each member of `expect` must hold. An operation that answers whether something is valid says false where others refuse.',
  ],
  [
    '`expect`',
    'The expected members of the answer, or facts about it. Other members are not judged. Absent: any answer that accepts the input.',
  ],
  [
    '`expect.without`',
    'What must not be in the answer, such as a fault that the encoded bytes must not have.',
  ],
  [
    '`error`',
    'The code of the refusal, for libraries with the codes of the testee protocol. Absent: any refusal.',
  ],
  [
    'all others',
    `The inputs of the operation; \`spec/${protocol}/vectors.schema.json\` describes them, and \`expect\`.`,
  ],
];

const flagsOf = (notes: ReadonlyMap<string, string>): readonly (readonly string[])[] =>
  [...notes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([flag, note]) => [`\`${flag}\``, note]);

/** A table of Markdown, its columns as wide as Prettier makes them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').trim()));
  const widths = head.map((_, i) => Math.max(3, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(cells[0] ?? []), rule, ...cells.slice(1).map(line)].join('\n');
}
