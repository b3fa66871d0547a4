/** Images and files: LLM-G56, and G57 where the provider's dialect has no place for them. */
import { broken, held, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { takesMedia } from '../tables.ts';
import type { Asked, AskedCheck } from './asked.ts';
import { lengthOf, mediaOf } from './conversation.ts';
import type { MediaPart } from './conversation.ts';

/** Base64 in one form: without line ends and padding, in the first alphabet. */
const bytesOf = (data: string): string =>
  data.replaceAll(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/');

const mimeOf = (mime: string): string => mime.toLowerCase().replace('image/jpg', 'image/jpeg');

/** Whether it is the same image or file. One from a place may be fetched. */
function sameMedia(due: MediaPart, came: MediaPart): boolean {
  if (due.kind !== came.kind) return false;
  if (due.data === undefined) return came.url === due.url || came.data !== undefined;
  if (came.data === undefined || bytesOf(due.data) !== bytesOf(came.data)) return false;
  return due.mime === undefined || came.mime === undefined || mimeOf(due.mime) === mimeOf(came.mime);
}

/** The types of images that all dialects take. */
const commonMimes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Whether a message of the user can have it below. Text files may become text. */
function isTaken({ pair }: Asked, { kind, mime, data }: MediaPart): boolean {
  const form = data === undefined ? 'url' : 'bytes';
  if (!takesMedia(pair.provider, kind, form)) return false;
  if (form === 'url') return true;
  return kind === 'image' ? mime === undefined || commonMimes.has(mimeOf(mime)) : mime === 'application/pdf';
}

/** Those that are there below. Bytes choose before places, which may have become any bytes. */
function arrivedOf(due: readonly MediaPart[], came: readonly MediaPart[]): ReadonlySet<MediaPart> {
  const left = [...came];
  const isBytes = ({ data }: MediaPart): boolean => data !== undefined;
  const inOrder = [...due.filter(isBytes), ...due.filter((one) => !isBytes(one))];
  return new Set(
    inOrder.filter((one) => {
      const at = left.findIndex((other) => sameMedia(one, other));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    }),
  );
}

/** LLM-G56 and G57: the same bytes and type; what has no place is shown in words. */
export const media: AskedCheck = (asked) => {
  const due = mediaOf(asked.above.messages);
  if (due.spoken.length + due.inResults.length === 0) return [];
  const came = mediaOf(asked.below.messages);
  const arrived = arrivedOf([...due.spoken, ...due.inResults], [...came.spoken, ...came.inResults]);
  const isShown = lengthOf(asked.below.messages) > lengthOf(asked.above.messages);
  return [
    ...due.spoken.map((one) =>
      isTaken(asked, one)
        ? whole(one, arrived.has(one))
        : shown(one, arrived.has(one) || isShown, 'the user'),
    ),
    ...due.inResults.map((one) => shown(one, arrived.has(one) || isShown, 'a result')),
  ];
};

const whole = (one: MediaPart, isThere: boolean): GatewayFact =>
  held('LLM-G56', isThere, () => `expected ${words(one)} with the same bytes and type; came none`);

const shown = (one: MediaPart, isThere: boolean, whose: string): GatewayFact =>
  isThere
    ? kept('LLM-G57')
    : broken('LLM-G57', `expected ${words(one)} of ${whose}, or words in its place, or a refusal; came none`);

const words = ({ kind, mime, url }: MediaPart): string =>
  kind === 'image' ? `the image ${mime ?? url ?? ''}`.trim() : `the file ${mime ?? url ?? ''}`.trim();
