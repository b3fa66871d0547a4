/** What a program's environment has to say so that its model clients ask at a place of ours. */

/**
 * Environment variables as the providers' clients read them: base URLs, and keys, since clients refuse to start
 * without one. LM Studio's client takes its base URL in code; `LMSTUDIO_BASE_URL` is for programs that pass it on.
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
});
