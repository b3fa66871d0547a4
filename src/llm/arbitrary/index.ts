/** The generators of the LLM room that storms use. */
export { anyFullRequest } from './full-request.ts';
export { anyArguments, anyWords } from './text.ts';
