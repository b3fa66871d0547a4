/** Plays outputs with extensions, and gives what tests compare. */
import { playRun } from '../scripted-run.ts';
import type { RunScript } from '../scripted-run.ts';
import type { TimedEvent } from '../runner.ts';
import { switchesOf } from '../../parser/extensions.ts';
import type { ExtensionSwitches } from '../../parser/extensions.ts';

/** All extensions. */
export const all: ExtensionSwitches = switchesOf(['all']);

/** An action as a model writes it. */
export const act = (
  id: string,
  body: object = {},
  { mode = 'sync', type = 'tool' }: { readonly mode?: string; readonly type?: string } = {},
): string =>
  `<action type="${type}" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...body })}</action>`;

/** The events of a run of one output. */
export const eventsOf = (output: string, script: Partial<RunScript> = {}): readonly TimedEvent[] =>
  playRun({ iterations: [[output]], extensions: all, ...script }).events;

/** Events in short: the kind with the id, the text or the value. */
export const inShort = (events: readonly TimedEvent[]): readonly string[] =>
  events.flatMap((event) => {
    switch (event.type) {
      case 'thought':
      case 'text':
        return event.text.trim() === '' ? [] : [`${event.type} ${event.text.trim()}`];
      case 'response':
        return [`response ${event.text}`];
      case 'started':
        return [`started ${event.id} ${JSON.stringify(event.parameters)}`];
      case 'completed':
        return [`completed ${event.id} ${JSON.stringify(event.output)}`];
      case 'failed':
        return [`failed ${event.id}`];
      case 'skipped':
        return [`skipped ${event.id} because of ${event.because}`];
      case 'condition':
        return [`${event.test}: ${event.value}`];
      case 'loop':
        return [`${event.rounds} rounds of ${event.list}`];
      case 'diagnostic':
        return event.code === 'attribute-missing' ? [] : [event.code];
      case 'finished':
        return [event.reason];
      default:
        return [];
    }
  });

/** A run in short. */
export const play = (output: string, script: Partial<RunScript> = {}): readonly string[] =>
  inShort(eventsOf(output, script));
