/** Decodes a streamed response of OpenAI Responses. */
import type { DecoderLimits, ResponseDecoder } from '../../messages.ts';
import { EventDecoder } from '../openai-chat/event-decoder.ts';
import { ResponsesResponse } from './response.ts';

/** A decoder of one response; it takes the bytes of the body. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new EventDecoder(limits, (limit) => new ResponsesResponse(limit));
