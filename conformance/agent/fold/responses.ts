/** Takes the responses of an agent into the view: texts, tools, usage, and the end of a request. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { momentOf } from '../../../src/kit/judge/index.ts';
import { finalStates } from '../../../src/fold/index.ts';
import type { MessageResponse } from '../../../src/fold/index.ts';
import { countsOf } from '../../llm/client/exchange.ts';
import type { GatewayRequest, RequestEnd } from './records.ts';

/** The most characters of a request's texts that are kept. */
const textKept = 1 << 20;

/** The most texts of a request that are kept one by one. */
const piecesKept = 1024;

/** The fewest characters by which a text can be told from others. */
export const tellingLength = 8;

export function takeResponse(request: GatewayRequest, event: TraceEvent, response: MessageResponse): void {
  const { text, usage } = response;
  if (text !== undefined) {
    request.lastText = momentOf(event);
    if (request.text.length < textKept) request.text += text;
    const piece = text.trim();
    if (piece.length >= tellingLength && request.pieces.length < piecesKept) request.pieces.push(piece);
  }
  if (usage !== undefined) request.usages.push(countsOf({ ...usage }));
  takeTool(request, event, response);
  takeEnd(request, event, response);
}

function takeTool(request: GatewayRequest, event: TraceEvent, response: MessageResponse): void {
  const { tools } = request;
  const { tool_use: use, tool_state: state, tool_result: result, tool_approval_request: asks } = response;
  if (use?.id !== undefined && !tools.has(use.id))
    tools.set(use.id, { ...momentOf(event), id: use.id, name: use.name ?? '', ...freshTool });
  if (asks !== undefined) request.asks.set(asks.id ?? '', asks.name ?? '');
  request.resultText += result?.output?.length ?? 0;
  const tool = tools.get(state?.id ?? result?.id ?? '');
  if (tool === undefined) return;
  if (showsRun(response)) tool.ran ??= momentOf(event);
  if (showsSuccess(response)) tool.succeeded ??= momentOf(event);
  if (showsEnd(response)) tool.ended ??= momentOf(event);
}

const freshTool = { ran: undefined, succeeded: undefined, denied: undefined, ended: undefined };

/** Whether a response shows the end of a tool that no cancel has stopped. */
const showsEnd = ({ tool_state: state, tool_result: result }: MessageResponse): boolean =>
  result !== undefined ||
  (state?.state !== undefined && state.state !== 'TOOL_STATE_CANCELLED' && isFinal(state.state));

const isFinal = (state: NonNullable<MessageResponse['tool_state']>['state']): boolean =>
  typeof state === 'string' && finalStates.has(state);

/** Whether a response shows that a tool runs, has run, or has a good result. */
export const showsRun = (response: MessageResponse): boolean =>
  response.tool_state?.state === 'TOOL_STATE_RUNNING' || showsSuccess(response);

/** Whether a response shows that a tool has run to its end, or has a good result. */
const showsSuccess = ({ tool_state: state, tool_result: result }: MessageResponse): boolean =>
  state?.state === 'TOOL_STATE_COMPLETED' || (result !== undefined && result.is_error !== true);

function takeEnd(request: GatewayRequest, event: TraceEvent, response: MessageResponse): void {
  const end = endOf(response);
  if (end !== undefined) request.ended ??= { ...momentOf(event), ...end };
}

/** The end of a request in a response: its kind, and its text. Undefined for other responses. */
export function endOf({ done, error, cancelled }: MessageResponse): RequestEnd | undefined {
  if (done !== undefined) return { how: 'done', text: done.full_response ?? '' };
  if (error !== undefined) return { how: 'error', text: error };
  return cancelled === undefined ? undefined : { how: 'cancelled', text: cancelled.reason ?? '' };
}
