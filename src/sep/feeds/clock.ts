/** The internal source `system_clock`: a moment as a text or a number, in a time zone. */
import type { FeedOutcome } from './feed.ts';
import type { JsonObject } from '../../kit/base/index.ts';

/** A moment in a time zone: the fields of its calendar and clock, in their order, and its offset from UTC (minutes). */
interface LocalTime {
  readonly date: string;
  readonly time: string;
  readonly offset: number;
}

/** The formats, in lower case. */
const formats: { readonly [format: string]: (local: LocalTime, now: number) => string | number } = {
  iso8601: ({ date, time, offset }) => `${date}T${time}${offsetText(offset)}`,
  unix: (_, now) => Math.floor(now / 1000),
  date: ({ date }) => date,
  time: ({ time }) => time,
};

/** The last moment that a date has (ms). */
const lastMoment = 8.64e15;

/**
 * The time in the `format` ISO8601 (default), unix (whole seconds), date or time, in a `timezone` of the IANA list (default
 * UTC). `now` is in milliseconds since 1970.
 *
 * @example
 * clockValue({ format: 'ISO8601', timezone: 'UTC' }, 1718454896000); // { value: '2024-06-15T12:34:56Z' }
 * clockValue({ format: 'time', timezone: 'Asia/Tokyo' }, 1718454896000); // { value: '21:34:56' }
 */
export function clockValue({ format = 'ISO8601', timezone = 'UTC' }: JsonObject, now: number): FeedOutcome {
  const name = typeof format === 'string' ? format.toLowerCase() : '';
  const write = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (write === undefined)
    return { error: `expected the format ISO8601, unix, date or time; came ${shortly(format)}` };
  if (!(Math.abs(now) <= lastMoment)) return { error: `expected a time that a date can have; came ${now}` };
  const local = typeof timezone === 'string' ? localTime(timezone, now) : undefined;
  if (local === undefined)
    return { error: `expected a time zone such as UTC or Europe/Paris; came ${shortly(timezone)}` };
  return { value: write(local, now) };
}

const shortly = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/** The local time of a moment; undefined: there is no such time zone. */
function localTime(timeZone: string, now: number): LocalTime | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', era: 'short', ...digits });
  } catch {
    return undefined;
  }
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const year = part('era').startsWith('B') ? 1 - Number(part('year')) : Number(part('year'));
  const fields = [part('month'), part('day'), part('hour'), part('minute'), part('second')] as const;
  const [month, day, hour, minute, second] = fields;
  const asUtc = new Date(0);
  asUtc.setUTCFullYear(year, Number(month) - 1, Number(day));
  asUtc.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset = Math.round((asUtc.getTime() - Math.floor(now / 1000) * 1000) / 60_000);
  return { date: `${yearText(year)}-${month}-${day}`, time: `${hour}:${minute}:${second}`, offset };
}

const digits = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

/** A year as ISO 8601 has it: four digits, or a sign and six. */
const yearText = (year: number): string =>
  year >= 0 && year <= 9999
    ? String(year).padStart(4, '0')
    : `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;

/** An offset as ISO 8601 has it: Z, or a sign, hours and minutes. */
function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
