/** Names that the SDKs' declarations use but do not include: types of the DOM, and packages of LM Studio and MCP. */

/** Named by `ollama`; `lib.dom` is not among this project's. */
type HeadersInit = NonNullable<RequestInit['headers']>;

/** Imported by the declarations of `@lmstudio/sdk`, which does not depend on it. */
declare module '@lmstudio/immer-with-plugins' {
  export type Patch = unknown;
}

/** Named by `@google/genai`. */
type ErrorEvent = Event;
type CloseEvent = Event;

/** Imported by the declarations of `@google/genai`, which depends on it only for MCP. */
declare module '@modelcontextprotocol/sdk/client/index.js' {
  export class Client {
    private readonly mcp: unknown;
  }
}
