// Reads and checks the kit's own lists and scenarios once, so that commands need not (prechecked-documents.ts).
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { tableKind } from '../dist/src/kit/spec/case-tables.js';
import { checkDocument } from '../dist/src/kit/spec/document.js';
import * as validators from '../dist/src/kit/spec/generated/validators.js';
import { peerLists } from '../dist/src/kit/spec/peer-words.js';
import { precheckedFile, precheckedKey } from '../dist/src/kit/spec/prechecked-documents.js';

const kinds = [
  { kind: 'requirement list', validator: validators.requirements, place: /^spec\/\w+\/requirements\.yaml$/ },
  { kind: peerLists.mutants, validator: validators.mutants, place: /^spec\/\w+\/mutants\/[^/]+\.yaml$/ },
  { kind: peerLists.lawful, validator: validators.lawful, place: /^spec\/\w+\/lawful\/[^/]+\.yaml$/ },
  { kind: 'scenario', validator: validators.scenario, place: /^fixtures\/\w+\/scenarios\/[^/]+\.yaml$/ },
  { kind: tableKind, validator: validators.cases, place: /^fixtures\/\w+\/scenarios\/\w+\/[^/]+\.yaml$/ },
];

const files = ['spec', 'fixtures'].flatMap((root) =>
  readdirSync(root, { recursive: true }).map((name) => `${root}/${name.replaceAll('\\', '/')}`),
);

const ready = {};
for (const { kind, validator, place } of kinds) {
  for (const file of files.filter((name) => place.test(name)).toSorted()) {
    const text = readFileSync(file, 'utf8');
    const { value } = checkDocument(text, file, validator, kind);
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value))
      throw new Error(`${file}: JSON cannot carry all of it`);
    ready[precheckedKey(kind, text)] = value;
  }
}
writeFileSync(precheckedFile, JSON.stringify(ready));
