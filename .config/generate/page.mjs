// The script and the style of the HTML report as texts, with their hashes for the page's policy.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { rolldown } from 'rolldown';

export async function generatePage({ script, style, out }) {
  const bundle = await rolldown({ input: script, platform: 'browser', tsconfig: false });
  const { output } = await bundle.generate({ format: 'iife', minify: { mangle: false, compress: false } });
  const texts = { pageScript: output[0].code.trim(), pageStyle: readFileSync(style, 'utf8').trim() };
  const parts = Object.entries(texts).map(([name, text]) => {
    if (/<\/|<!--|conformant/i.test(text)) throw new Error(`${name}: a text that the page cannot hold`);
    const hash = `sha256-${createHash('sha256').update(text).digest('base64')}`;
    return `/** A text of the page, and its hash. */
export const ${name}: { readonly text: string; readonly hash: string } = {
  text: ${JSON.stringify(text)},
  hash: '${hash}',
};
`;
  });
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(
    out,
    `// Generated from ${script} and ${style} by the build. Do not edit.\n${parts.join('')}`,
  );
}
