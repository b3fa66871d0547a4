/** Recordings for who reads them, and does not play them. */
export { plainBody } from './plain-body.ts';
