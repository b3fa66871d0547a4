/** Images and files: `data:` URLs, mime types by the first bytes, and plain text as bytes. */
import type { Media } from './request.ts';

/** The start of a `data:` URL of RFC 2397 with a mime type without parameters, in base64. */
const dataUrlStart = /^data:([^;,\s]+);base64,/;

/** What a URL says: bytes with their mime type, or a place. A `data:` URL of another form stays a URL. */
export function mediaAt(url: string): Pick<Media, 'mime' | 'data' | 'url'> {
  const [start = '', mime] = dataUrlStart.exec(url) ?? [];
  return mime === undefined ? { url } : { mime, data: url.slice(start.length) };
}

/** Media as a URL: a place, or a `data:` URL. Undefined where the mime type is unknown. */
export function urlOf({ mime, data, url }: Media): string | undefined {
  if (data === undefined) return url;
  return mime === undefined ? undefined : `data:${mime};base64,${data}`;
}

/** Whether others can fetch media from its URL. */
export const isFetchable = ({ url }: Media): boolean => url !== undefined && /^https?:/i.test(url);

/** The first bytes of the image formats that all dialects take, in base64. */
const firstBytes: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** The mime type of an image by its first bytes, which Ollama does not name; undefined for another format. */
export const imageMime = (data: string): string | undefined =>
  firstBytes.find(([first]) => data.startsWith(first))?.[1];

/** Text as bytes of UTF-8 in base64. */
export function bytesOfText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let chars = '';
  for (let at = 0; at < bytes.length; at += mostArguments)
    chars += String.fromCharCode(...bytes.subarray(at, at + mostArguments));
  return btoa(chars);
}

/** A call with more arguments may not fit the stack. */
const mostArguments = 4096;

/** The text of such bytes; undefined where they are no UTF-8. */
export function textOfBytes(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
