/** Lines of a live session for a terminal: its traffic, the violations in it, and remarks. */
import picocolors from 'picocolors';
import type { Level } from '../base/index.ts';
import { neutraliseCommands, visible } from './escape.ts';
import type { ReportOptions } from './options.ts';
import { count } from './words.ts';

type Paint = Pick<ReportOptions, 'color'>;

/** An event in words. */
export interface TrafficLine {
  /** Milliseconds since the session began. */
  readonly at: number;
  /** The party or connection; empty where there is only one. */
  readonly who: string;
  /** Whether the implementation under test sent it. */
  readonly incoming: boolean;
  readonly text: string;
}

/** Characters of an event's text that are shown. */
const shown = 1000;

const column = (who: string): string => (who === '' ? '' : `${visible(who, { limit: 24 }).padEnd(12)} `);

/**
 * An event as one line: when, who, which way, and the event.
 *
 * @example
 * trafficLine({ at: 1500, who: 'a-1', incoming: true, text: 'done' }, { color: false }); // '   1.500s  a-1          → done'
 */
export const trafficLine = ({ at, who, incoming, text }: TrafficLine, { color }: Paint): string => {
  const time = `${(at / 1000).toFixed(3)}s`.padStart(9);
  const line = `${time}  ${column(who)}${incoming ? '→' : '←'} ${visible(text, { limit: shown })}`;
  return picocolors.createColors(color && !incoming).cyan(neutraliseCommands(line));
};

/**
 * A violation as one line, below the event that shows it. Red for a MUST.
 *
 * @example
 * const violation = { requirement: 'FOLD-A15', level: 'MUST', message: 'expected nothing; came text', who: '' } as const;
 * violationLine(violation, { color: false }).trim(); // '✗ FOLD-A15 MUST: expected nothing; came text'
 */
export const violationLine = (
  found: {
    readonly requirement: string;
    readonly level: Level;
    readonly message: string;
    readonly who: string;
  },
  { color }: Paint,
): string => {
  const { requirement, level, message, who } = found;
  const { red, yellow } = picocolors.createColors(color);
  const line = `${' '.repeat(11)}${column(who)}✗ ${requirement} ${level}: ${visible(message)}`;
  return (level === 'MUST' ? red : yellow)(neutraliseCommands(line));
};

/** The violations of a session in one sentence. */
export const summaryLine = (violations: number, musts: number): string =>
  violations === 0
    ? 'no violation was seen'
    : `${count(violations, 'violation')}, ${musts} of a MUST; wireproof explain ID says more`;
