/** The texts of events that both simulated peers of Koda show. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { visible } from '../../../src/kit/simulate/index.ts';

/** The shown length of a message (characters). */
const limit = 160;

/** The text of an event; undefined for an event that is not shown. */
export function textOf({ kind, data, note = '' }: TraceEvent): string | undefined {
  switch (kind) {
    case 'message': {
      const { type, ...fields } = data;
      const name = typeof type === 'string' ? type : JSON.stringify(type);
      const shown = Object.entries(fields).map(([field, value]) => `${field} ${JSON.stringify(value)}`);
      return visible(`${name.padEnd(16)} ${shown.join(', ')}`.trimEnd(), { limit });
    }
    case 'open':
      return `connected over ${visible(JSON.stringify(data[':carrier']), { limit })}`;
    case 'end':
      return 'closed';
    case 'reset':
      return 'the connection broke';
    case 'undecodable':
      return `refused: ${visible(note, { limit })}`;
    default:
      return undefined;
  }
}
