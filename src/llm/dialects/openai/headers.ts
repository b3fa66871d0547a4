/** The header fields of answers of OpenAI's two APIs. */
import type { HeaderFields } from '../shared/dialect.ts';

/** The request's id, and limits that no request comes near. */
export const answerHeaders = (id: string): HeaderFields => ({
  'x-request-id': id,
  'openai-version': '2020-10-01',
  'openai-processing-ms': '1',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-remaining-requests': '9999',
  'x-ratelimit-reset-requests': '6ms',
  'x-ratelimit-limit-tokens': '30000000',
  'x-ratelimit-remaining-tokens': '29999999',
  'x-ratelimit-reset-tokens': '0s',
});
