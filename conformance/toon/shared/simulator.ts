/** The shared part of both simulated peers of TOON (Task Orchestration Over Node): options from flags, and texts of events. */
import { exactText } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { visible } from '../../../src/kit/simulate/index.ts';
import type { Flags } from '../../../src/kit/simulate/index.ts';

/** The options of either role that its flags set. */
export function sharedOptions(flags: Flags): JsonObject {
  const [idle, heartbeat] = [flags.time('idle'), flags.time('heartbeat')];
  return {
    epoch: Date.now(),
    compress: flags.on('compress'),
    ...(idle === undefined ? {} : { idle }),
    ...(heartbeat === undefined ? {} : { heartbeat }),
  };
}

/** The shown length of a payload (characters). */
const limit = 160;

const json = (value: unknown): string => visible(value === undefined ? '' : exactText(value), { limit });

/** The text of an event; undefined for an event that is not shown. */
export function textOf({ kind, data, note = '' }: TraceEvent): string | undefined {
  switch (kind) {
    case 'message': {
      const { type, sequenceId, payload, payloadLength: sent, expandedLength: expanded } = data;
      const compressed = expanded === undefined ? '' : ` (${json(expanded)} bytes in ${json(sent)})`;
      return `${json(type).replaceAll('"', '').padEnd(16)} #${json(sequenceId)} ${json(payload)}${compressed}`;
    }
    case 'open':
      return `connected over ${json(data[':carrier'])}`;
    case 'end':
      return 'closed';
    case 'reset':
      return 'the connection broke';
    case 'undecodable':
      return `refused, ${json(data['code'])}: ${visible(note, { limit })}`;
    default:
      return undefined;
  }
}
