/** Names that the SDKs' declarations use but do not include: a type of the DOM, and a package of LM Studio. */

/** Named by `ollama`; `lib.dom` is not among this project's. */
type HeadersInit = NonNullable<RequestInit['headers']>;

/** Imported by the declarations of `@lmstudio/sdk`, which does not depend on it. */
declare module '@lmstudio/immer-with-plugins' {
  export type Patch = unknown;
}
