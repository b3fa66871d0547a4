/** Operators' injections, and the InjectContext messages that follow from them. */
import { forgetOldest } from '../../../src/kit/judge/index.ts';
import { remembered } from '../../../src/fold/index.ts';
import type { InjectContext } from '../../../src/fold/index.ts';
import { isCalled } from './model.ts';
import type { GatewayView, OperatorCall, StreamView } from './model.ts';

/** Takes an operator's `inject` into the view. */
export function takeInject(view: GatewayView, call: OperatorCall): void {
  const content = call.text.content ?? '';
  const known = view.injects.get(content);
  if (known !== undefined) known.calls.push(call);
  else view.injects.set(content, { calls: [call], delivered: 0 });
  forgetOldest(view.injects, remembered);
}

/** Takes an InjectContext to an agent into the view. Call it before the session takes the message. */
export function takeInjection(view: GatewayView, stream: StreamView, { content = '' }: InjectContext): void {
  const injected = view.injects.get(content);
  if (injected?.calls.some(({ text }) => isCalled(stream, text.agent_id ?? '')) === true)
    injected.delivered++;
}
