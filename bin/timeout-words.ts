/** What each timeout waits for, and what happens when it is over. */

/** By name, as in `--timeout NAME=TIME`. */
export const timeoutWords: { readonly [name: string]: string } = {
  handshake:
    'the kit waits for the target to start, to connect and to answer the opening; then the target counts as absent, or the requirement about the opening is violated',
  step: 'a scenario waits for the next event that it needs; then the scenario ends, and rules with a deadline are violated',
  answer:
    'the kit waits for the answer to its question or request; then the requirement to answer is violated, or the scenario ends',
  prompt:
    'the kit waits for a reaction that needs no work, such as a refusal; then the requirement about it is violated',
  ack: 'the kit waits for the acknowledgement of a message; then the requirement to acknowledge is violated',
  cancel: 'the kit waits for the end of cancelled work; then the requirement to end it is violated',
  interrupt: 'the kit waits for the end of interrupted work; then the requirement to end it is violated',
  turn: 'the kit waits for the end of a turn; then the requirement to end it is violated',
  approval: 'the target may wait for a decision that does not come; after this time, a denial is lawful',
  pack: 'a tool of a pack may run; then its call must be answered with an error',
  silence: 'a connection may be silent; after this time, either side may take the other for lost',
  shutdown:
    'the kit waits for the target to leave in order after it was told so; then the requirement is violated',
  reconnect:
    'the kit waits for the target to come back after a lost connection; then scenarios that need it are not played',
  keepalive: 'how long the kit watches an idle connection; nothing is violated by its end alone',
  watch: 'how long the kit watches for an event that must not come; nothing is violated by its end alone',
  quiet: 'the target must send nothing for this time where a scenario says so; an event in it is judged',
  late: 'after the last step, the kit waits this long for late events, which are judged, too',
  next: 'a scenario waits this long for the next prompt or connection; then it goes on without it',
  idle: 'the target may do nothing for this time; then the scenario ends',
  crossing: 'messages that cross on the wire within this time are not blamed on the target',
  letgo:
    'the target has this time to let go of a model request after a cancel; then the requirement is violated',
  gone: 'the process of a tool has this time to end after a cancel; then the requirement is violated',
  ends: 'the target may try again for this time after its model failed; then the request must have ended',
  stall: 'the target may wait this long for a model that falls silent; then the request must have ended',
  abort: 'an abort by the caller may take this long; then the requirement to end it is violated',
  released:
    'the target has this time to close its connection after an answer or an abort; then the requirement is violated',
  slack: "time in addition to the caller's own timeout, before that timeout counts as ignored",
  hang: 'a client that waits longer than this for a stalled stream counts as waiting forever',
  stalled: 'how long the kit holds a stalled stream open; then the scenario ends',
  program: 'a whole program may run this long without an end or a request; then it is stopped',
};
