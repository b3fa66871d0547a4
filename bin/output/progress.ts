/** Shows progress on a terminal. Without a terminal there is no output. */

/** A progress line on stderr. */
export function progressLine(): { show: (done: number, of: number, now: string) => void; clear: () => void } {
  const { stderr } = process;
  const shown = stderr.isTTY && (process.env['CI'] ?? '') === '';
  if (!shown) return { show: () => {}, clear: () => {} };
  return {
    show: (done, of, now) =>
      stderr.write(`\r\u001b[K${done}/${of} ${now}`.slice(0, (stderr.columns || 80) + 4)),
    clear: () => void stderr.write('\r\u001b[K'),
  };
}
