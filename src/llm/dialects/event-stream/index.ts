/** The codec of AWS event streams, `application/vnd.amazon.eventstream`. Pure. */
export { crc32 } from './crc32.ts';
export { encodeHeaders } from './headers.ts';
export type { EventHeader } from './headers.ts';
export type { HeaderValue } from './header-values.ts';
export { encodeMessage, eventMessageCodec, headerText } from './message.ts';
export type { EventMessage } from './message.ts';
export { EventStreamReader } from './reader.ts';
export type { CutMessage, EventItem } from './reader.ts';
export { encodeUnit, messageWords } from './unit.ts';
export type { MessageWords } from './unit.ts';
export { sizes } from './violation.ts';
export type { EventStreamFault } from './violation.ts';
