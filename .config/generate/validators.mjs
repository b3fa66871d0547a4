// From the JSON Schemas of our own formats to stand-alone validators, because compiling them at start costs
// 140 ms. The schemas use nothing for which ajv's code would call `require`; a build that would, fails here.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';

export async function generateValidators({ schemas, vectors = {}, out }) {
  const ajv = new Ajv({
    allErrors: false,
    strict: true,
    strictRequired: false,
    unicodeRegExp: true,
    allowUnionTypes: true,
    // A fault carries the schema that refused, so that its sentence can say what was expected.
    verbose: true,
    code: { source: true, esm: true, lines: true },
  });
  const names = {};
  const ofVectors = Object.keys(vectors).map((protocol) => [`${protocol}Vectors`, vectors[protocol]]);
  for (const [name, file] of [...Object.entries(schemas), ...ofVectors]) {
    const [path, definition] = file.split('#');
    const schema = JSON.parse(readFileSync(path, 'utf8'), withoutProse);
    if (ajv.getSchema(schema.$id) === undefined) ajv.addSchema(schema);
    if (definition === undefined) {
      names[name] = schema.$id;
      continue;
    }
    names[name] = `${schema.$id}/${name}`;
    ajv.addSchema({ $id: names[name], $ref: `${schema.$id}#${definition}` });
  }
  const code = (standalone.default ?? standalone)(ajv, names);
  if (/\brequire\(/.test(code))
    throw new Error('a schema needs a helper that stand-alone code would require()');
  const body = code.replace(/^export const (\w+) = (\w+);/gm, 'const $1$ = $2;').replace('"use strict";', '');
  const doors = Object.keys(names).map(
    (name) =>
      `/** Whether a value is a well-formed ${name}; its \`errors\` say why not. */\nexport const ${name}: Validator = ${name}$ as unknown as Validator;`,
  );
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(
    out,
    `// Generated from ${Object.values(schemas).join(', ')} by the build. Do not edit.
// @ts-nocheck
/* eslint-disable */
import type { Validator } from '${relative(dirname(out), 'src/kit/base/index.ts')}';
export type { Validator };
${body}
${doors.join('\n')}
${vectorsOf(Object.keys(vectors))}`,
  );
}

/** Drops what no sentence of a refusal uses: the code carries the schemas. A property named `description` is an object. */
const withoutProse = (key, value) =>
  ['description', '$comment', '$schema'].includes(key) && typeof value === 'string' ? undefined : value;

/** The map from protocol to the validator of its vectors; empty without protocols. */
function vectorsOf(protocols) {
  if (protocols.length === 0) return '';
  const rows = protocols.map((protocol) => `  ${protocol}: ${protocol}Vectors,`);
  return `/** Validators of vectors by protocol. */
export const vectorsOf: { readonly [protocol: string]: Validator } = {
${rows.join('\n')}
};
`;
}
