/** Whether output is coloured. */

/**
 * Whether a stream shows colour. NO_COLOR forbids it; else FORCE_COLOR decides (0 or false: none); else only a terminal
 * has colour (https://no-color.org, https://force-color.org). `isTTY` is absent on other streams.
 */
export function usesColour(
  stream: { readonly isTTY?: boolean },
  env: { readonly [name: string]: string | undefined },
): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'] ?? '';
  return forced === '' ? stream.isTTY === true : !['0', 'false'].includes(forced);
}
