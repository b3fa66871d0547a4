/** Decodes a streamed response of OpenAI Chat Completions. */
import type { DecoderLimits, ResponseDecoder } from '../../messages.ts';
import { EventDecoder } from './event-decoder.ts';
import { ChatResponse } from './response.ts';

/** A decoder of one response; it takes the bytes of the body. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new EventDecoder(limits, (limit) => new ChatResponse(limit));
