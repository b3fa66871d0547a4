/** Live traffic of TOON (Task Orchestration Over Node) as lines for a person. Pure. */
import type { TraceEvent } from '../src/kit/base/index.ts';
import { visible } from '../src/kit/report/index.ts';

/** Characters of a payload that are shown. */
const shown = 160;

const text = (value: unknown): string => visible(JSON.stringify(value) ?? '', { limit: shown });

/** One event as a line; `who` tells connections apart. Undefined for what nobody needs to see. */
export function toonLine(event: TraceEvent, who: string): string | undefined {
  const what = whatOf(event);
  if (what === undefined) return undefined;
  const time = `${(event.at / 1000).toFixed(3)}s`.padStart(9);
  return `${time}  ${who}${event.from === 'target' ? '→' : '←'} ${what}`;
}

function whatOf({ kind, data, note }: TraceEvent): string | undefined {
  switch (kind) {
    case 'message': {
      const { type, sequenceId, payload, payloadLength, expandedLength } = data;
      const squeezed =
        expandedLength === undefined ? '' : ` (${text(expandedLength)} bytes in ${text(payloadLength)})`;
      return `${text(type).replaceAll('"', '').padEnd(16)} #${text(sequenceId)} ${text(payload)}${squeezed}`;
    }
    case 'open':
      return `connected over ${text(data[':carrier'])}`;
    case 'end':
      return 'closed';
    case 'reset':
      return 'the connection broke';
    case 'undecodable':
      return `refused, ${text(data['code'])}: ${visible(note ?? '', { limit: shown })}`;
    default:
      return undefined;
  }
}
