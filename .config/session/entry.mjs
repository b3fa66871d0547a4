// What prints a session: the reader of sessions, and the writer of traces. rolldown bundles them.
export { sessionNamed } from '../../conformance/sessions.test-helper.ts';
export { textOfTrace } from '../../src/kit/spec/index.ts';
