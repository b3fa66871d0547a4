/** What the kit's marks tell: the run's numbers, and what of it is the kit's own doing. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { defaultGatewayTimeouts, momentOf, textOf } from './model.ts';
import type { GatewayTimeouts, GatewayView, StreamView } from './model.ts';

/** The kit says what it does: its numbers, faults, credentials, and that it asks the target to stop. */
export function takeMark(view: GatewayView, event: TraceEvent): void {
  const { run, fault, ms, stop, credentials, peer, on } = event.data;
  if (fault === 'slow') holdUp(view, slowness);
  else if (fault !== undefined && typeof ms === 'number') holdUp(view, ms);
  if (isObject(run)) {
    if (typeof run['auth'] === 'string') view.auth = run['auth'];
    if (isObject(run['timeouts']))
      view.timeouts = { ...defaultGatewayTimeouts, ...(run['timeouts'] as Partial<GatewayTimeouts>) };
  }
  if (stop === 'target') view.stop ??= momentOf(event);
  if (typeof credentials === 'string') view.credentials.set(textOf(peer) || 'agent', credentials);
  if (fault === 'cut' || fault === 'reset' || fault === 'stop')
    for (const stream of view.streams.values())
      if (stream.ended === undefined && isOn(stream, event, on)) stream.disturbed = true;
}

/** Whether a fault is on a stream: on the one it names, else on all of the peer it names, else on all. */
function isOn(stream: StreamView, event: TraceEvent, on: unknown): boolean {
  if (event.stream !== '') return event.stream === stream.id;
  if (event.conn !== '') return event.conn === stream.conn;
  return typeof on === 'string' ? stream.peer === on : true;
}

/** What a slow network is taken to hold up: its backlog outlives it (ms). */
const slowness = 60_000;

/** The kit held the network up: every time that rules go by is longer for it. */
function holdUp(view: GatewayView, ms: number): void {
  view.late += ms;
  const { silence, ...waits } = view.timeouts;
  const longer = Object.fromEntries(Object.entries(waits).map(([name, n]) => [name, n + ms]));
  view.timeouts = { ...view.timeouts, ...longer, silence };
}
