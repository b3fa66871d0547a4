/**
 * Portkey adds header fields to the responses of `fetch`. In Node 20 these are immutable, and each stream would be a 500
 * (`TypeError: immutable`). With this module `fetch` returns responses whose header fields can be changed.
 */
const fetchOfNode = globalThis.fetch;
globalThis.fetch = async (...request) => {
  const { body, status, statusText, headers } = await fetchOfNode(...request);
  return new Response(body, { status, statusText, headers: new Headers(headers) });
};
