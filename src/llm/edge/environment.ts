/** The environment variables that send a program's model clients to a simulated provider. */

/**
 * Base URLs and keys, under the names that the providers' clients read; they refuse to start without a key. LM
 * Studio's client takes its base URL in code: `LMSTUDIO_BASE_URL` is for programs that pass it on. Bedrock's clients need a
 * region, too, which is not set here: it is that of the program's other services.
 *
 * @example
 * llmEnvironment('http://127.0.0.1:1234')['OPENAI_BASE_URL']; // 'http://127.0.0.1:1234/v1'
 */
export const llmEnvironment = (url: string): { readonly [name: string]: string } => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'wireproof',
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: 'wireproof',
  OLLAMA_HOST: url,
  LMSTUDIO_BASE_URL: url.replace(/^http/, 'ws'),
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: 'wireproof',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  AWS_BEARER_TOKEN_BEDROCK: 'wireproof',
});
