/** The script that `simulate llm` is to play: a file, or one that comes with the kit. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { readScriptFile, readyScript, readyScripts } from '../../../src/kit/spec/index.ts';
import { checkScript } from '../../../src/llm/index.ts';
import type { Script } from '../../../src/llm/index.ts';

/** Reads a script. @throws WireproofError 'usage' with the place of what is wrong in it */
export function readScript(name: string): Script {
  const file = fileOf(name);
  const { value, at } = readScriptFile(file);
  const checked = checkScript(value);
  if (checked.ok) return checked.value;
  const { path, message } = checked.error;
  const where = at(
    path
      .replaceAll(/\[(\d+)\]/g, '/$1')
      .replaceAll('.', '/')
      .replace(/^(?=[^/])/, '/'),
  );
  throw new WireproofError('usage', `${file}:${where}: ${path === '' ? '' : `${path}: `}${message}`);
}

function fileOf(name: string): string {
  if (/\.(ya?ml|json)$/.test(name)) return name;
  const ready = readyScripts();
  if (ready.includes(name)) return readyScript(name);
  throw new WireproofError(
    'usage',
    `--script ${name}: no such script; there are ${ready.join(', ')}, or give a .yaml file`,
  );
}
