// The program of the guard as one text: Node runs it with -e, so that it needs no file beside the bundle that starts it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { rolldown } from 'rolldown';

export async function generateGuard({ program, out }) {
  const bundle = await rolldown({ input: program, platform: 'node', tsconfig: false });
  const { output } = await bundle.generate({ format: 'cjs', minify: { mangle: false, compress: false } });
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(
    out,
    `// Generated from ${program} by the build. Do not edit.
/** The program of a guard, as a script. */
export const guardProgram: string = ${JSON.stringify(output[0].code.trim())};
`,
  );
}
