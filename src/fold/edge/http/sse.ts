/** Writes server-sent events (WHATWG HTML, "Server-sent events"); the kit's parser reads them. */

/**
 * The text of an event. JSON contains no line break, so one data line is enough.
 *
 * @example
 * sseText('text', { text: 'hi' }); // 'event: text\ndata: {"text":"hi"}\n\n'
 */
export const sseText = (event: string, data: unknown): string =>
  `event: ${event.replaceAll(/[\r\n]/g, ' ')}\ndata: ${JSON.stringify(data ?? null)}\n\n`;
