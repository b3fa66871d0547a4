/** The calls of simulated operators and packs: each has a stream of its own, which begins with its message. */
import type { Metadata } from '../../kit/base/index.ts';
import type { StepOutputs } from '../step-outputs.ts';

/** The state of a peer that sends each of its calls on a stream of its own. */
export interface CallingState<Out> {
  /** The number of streams so far. */
  streams: number;
  /** The first messages of streams that are being opened. */
  readonly first: Map<string, Out>;
}

/** Dials a stream for a call. @returns the stream's name */
export function dialCall<Out>(
  out: StepOutputs<CallingState<Out>, Out>,
  prefix: string,
  message: Out,
  metadata: Metadata,
): string {
  const peer = `${prefix}-${++out.state.streams}`;
  out.state.first.set(peer, message);
  out.dial(peer, metadata);
  return peer;
}

/** Sends the message of a call on its new stream, and half-closes: a call has one message. */
export function sendCall<Out>(out: StepOutputs<CallingState<Out>, Out>, peer: string): void {
  const message = out.state.first.get(peer);
  if (message === undefined) return;
  out.state.first.delete(peer);
  out.send(peer, message);
  out.halfClose(peer);
}
