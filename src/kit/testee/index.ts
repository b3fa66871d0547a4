/** Programs that answer operations on stdin and stdout, one JSON object a line. */
export { lineFraming, lineLimit, ndjson, testeeOf, testeeRole, tester, unsafeIntegers } from './testee.ts';
