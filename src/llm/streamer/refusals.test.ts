/** spec/llm/refusals.yaml: each row is refused in the provider's words and form, and its lawful neighbour is not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { packageRoot } from '../../kit/spec/index.ts';
import { checkScript } from '../script/check.ts';
import { Stepped } from './streamer.test-helper.ts';

interface Row {
  readonly dialect: string;
  readonly condition: string;
  readonly words: string;
  readonly source: string;
  readonly latin1?: true;
  readonly given?: readonly Json[];
  readonly refused: JsonObject;
  readonly lawful: JsonObject;
}

interface Refusals {
  readonly bodies: { readonly [dialect: string]: { readonly path: string; readonly body: JsonObject } };
  readonly rows: readonly Row[];
}

const specFile = (name: string): string => join(packageRoot(), 'spec/llm', name);
const { bodies, rows } = parse(readFileSync(specFile('refusals.yaml'), 'utf8')) as Refusals;

/** A provider that has answered the dialect's own body with the steps of a row, where it has some. */
function providerOf({ dialect, given }: Row): Stepped {
  const first = given === undefined ? [] : [{ steps: given }];
  const checked = checkScript({ turns: [...first, { times: 'always', steps: [{ text: 'So.' }] }] });
  if (!checked.ok) throw new Error(checked.error.message);
  const provider = new Stepped(checked.value);
  const { path = '', body = {} } = bodies[dialect] ?? {};
  if (given !== undefined) expect(provider.status(provider.post(path, body))).toBe('200');
  return provider;
}

/** The status and the body of the answer to the dialect's own body with other fields. */
function answerTo(
  row: Row,
  fields: JsonObject,
): { readonly status: string | undefined; readonly text: string } {
  const provider = providerOf(row);
  const { path = '', body = {} } = bodies[row.dialect] ?? {};
  const json = JSON.stringify({ ...body, ...fields });
  const link = provider.postBytes(path, Buffer.from(json, row.latin1 === true ? 'latin1' : 'utf8'));
  return { status: provider.status(link), text: provider.text(link) };
}

/** The provider's form of a refusal. */
function errorForm(dialect: string, words: string): object {
  const message: unknown = expect.stringContaining(words);
  if (dialect === 'ollama') return { error: message };
  if (dialect === 'gemini') return { error: { code: 400, status: 'INVALID_ARGUMENT', message } };
  if (dialect === 'gemini-interactions') return { error: { code: 'invalid_request', message } };
  if (dialect === 'bedrock') return { message };
  const error = { type: 'invalid_request_error', message };
  return dialect === 'anthropic' ? { type: 'error', error } : { error };
}

describe('a request is refused', () => {
  it.each(rows.map((row) => [`${row.dialect}: ${row.condition}`, row] as const))('when %s', (_, row) => {
    const { status, text } = answerTo(row, row.refused);
    expect(status).toBe('400');
    expect(JSON.parse(text)).toMatchObject(errorForm(row.dialect, row.words));
    expect(answerTo(row, row.lawful).status).toBe('200');
  });
});

/** A table of Markdown with columns of equal width. */
function table(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  const written = (line: readonly string[]): string =>
    `| ${line.map((one, i) => one.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = lines;
  return [written(head), `| ${widths.map((n) => '-'.repeat(n)).join(' | ')} |`, ...rest.map(written)].join(
    '\n',
  );
}

/** Code, also where it has the character that marks code. */
function code(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `\`\`${space}${text}${space}\`\``;
}

it('spec/llm/REFUSALS.md lists the rows', async () => {
  const head = readFileSync(specFile('REFUSALS.md'), 'utf8').split('\n| ')[0] ?? '';
  const lines = rows.map(({ dialect, condition, words, source }) => [
    `\`${dialect}\``,
    condition,
    '400',
    code(words),
    `<${source}>`,
  ]);
  const text = `${head}\n${table([['dialect', 'refused when', 'status', "the provider's words", 'source'], ...lines])}\n`;
  await expect(text).toMatchFileSnapshot(specFile('REFUSALS.md'));
});
