/** The request and the answer of AI SDK in a test. */
export interface AiSdkRequest {
  readonly dialect: 'anthropic' | 'openai-chat' | 'openai-responses';
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  readonly limit: number;
  /** JSON Schemas by the names of the tools. */
  readonly tools: { readonly [name: string]: object };
  readonly stream: boolean;
}

/** The answer as the program gets it. */
export interface AiSdkAnswer {
  readonly text: string;
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly inputs: readonly unknown[];
  readonly stop: string;
  readonly tokens: number | undefined;
}

/** Sends one request. @throws the error of the stream */
export function aiSdk(request: AiSdkRequest): Promise<AiSdkAnswer>;
