import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDocument, readDocument } from './document.ts';
import { scenario as validator } from './generated/validators.ts';
import { precheckedDocument } from './prechecked-documents.ts';
import { packageRoot } from './root.ts';

const folder = join(packageRoot(), 'fixtures/toon/scenarios');
const files = readdirSync(folder).map((name) => join(folder, name));
const textOf = (file: string): string => readFileSync(file, 'utf8');

describe('a document that was checked at build', () => {
  it('is what reading it gives', () => {
    const ready = files.filter((file) => precheckedDocument('scenario', textOf(file)) !== undefined);
    expect(ready.length).toBeGreaterThan(0);
    for (const file of ready)
      expect(precheckedDocument('scenario', textOf(file))).toEqual(
        checkDocument(textOf(file), file, validator, 'scenario').value,
      );
  });

  it('still knows where its parts stand', () => {
    const [file = ''] = files;
    const read = checkDocument(textOf(file), file, validator, 'scenario');
    expect(readDocument(file, validator, 'scenario').at('/steps/0')).toBe(read.at('/steps/0'));
  });

  it('is not taken for one of another kind, nor for one that was changed since', () => {
    const [file = ''] = files;
    expect(precheckedDocument('statement', textOf(file))).toBeUndefined();
    const scratch = mkdtempSync(join(tmpdir(), 'wireproof-'));
    const changed = join(scratch, 'changed.yaml');
    writeFileSync(changed, `${textOf(file)}nonsense: 1\n`);
    expect(() => readDocument(changed, validator, 'scenario')).toThrow(/nonsense/);
    rmSync(scratch, { recursive: true });
  });
});
