/** What each timeout waits for, and what happens when it is over. */

/** By name, as in `--timeout NAME=TIME`. A sentence holds for every suite with the name; some suites take a name without using it. */
export const timeoutWords: { readonly [name: string]: string } = {
  handshake:
    'the kit waits for the target to start, to connect or listen, and to say or answer the first thing; then the target counts as absent, the scenario ends, or the requirement about the opening is violated',
  step: 'a scenario waits for its next event, where it names no other time; then it ends, and a requirement to send this event in time is violated',
  answer:
    'the target owes the next sign of its work on a request, or the answer to a question, a call or a bad frame; then the requirement to answer is violated, or the scenario ends',
  prompt:
    'the target owes a reaction that needs no work: the start of a turn, a first sign of work, a refusal, the release of an id; then the requirement about it is violated, or the scenario ends',
  ack: 'an agent owes the acknowledgement of an injection; then its requirement to acknowledge is violated. A gateway may wait this long for an acknowledgement that does not come, and then owes its operator an answer within step',
  cancel:
    'an agent owes the end of a cancelled request; then its requirement to end it is violated. A gateway may wait this long for the end, and then must end the request itself within step',
  interrupt:
    'an engine owes the end of an interrupted turn; then the requirement to end it is violated, or the scenario ends',
  turn: 'an engine owes the next event of a turn, and a scenario waits for the end of a whole turn; then the requirement to end it is violated, or the scenario ends',
  approval:
    'the tool of an agent may wait for a decision that does not come; then the agent must deny it, and the requirement is violated when the tool still waits after almost one more step',
  pack: 'a gateway waits for the result of a pack tool without a timeout of its own; then it must answer the call with an error within step, or the requirement is violated',
  silence:
    'a gateway must keep the stream of an agent that says nothing; the requirement is violated if it ends the stream earlier',
  shutdown:
    'an agent has this time to close its stream after Shutdown, and a gateway to say Shutdown after it was stopped; then the requirement is violated',
  reconnect:
    'an agent has this time to register, at first and after a refusal or a lost stream; then the requirement to come back is violated, and a scenario that waits for it ends. For a target started by hand it is 60 s unless you name it; then no further scenario is played with it',
  keepalive:
    'a scenario watches an idle stream for pings that come too often; nothing is violated by its end, and with too few pings the requirement is not observed',
  watch:
    'a scenario keeps agents silent, and sees whether the gateway keeps them; nothing is violated by its end, and the requirement passes only if this time is longer than silence',
  quiet:
    'a scenario gives the target time to send what it should not send; nothing is violated by its end, and an event that comes is judged',
  late: 'after the last scenario of a target, the kit waits this long for late events, which are judged, too. What a target does within this time after a fault or an error may be due to it',
  next: 'a scenario waits for the next prompt of a client after the end of a turn; then it goes on without one',
  idle: 'a peer is silent, and then the target must close the connection; it may take as long again, at most step more, and then the requirement is violated. 0, the default, means unknown: nothing is judged',
  crossing:
    'messages cross on the wire: the target may have sent before it saw the other message what comes this soon after it, and is not blamed',
  letgo:
    'an agent has this time after a cancel to let go of its model request; then the requirement is violated',
  gone: 'the process of a tool has this time to end after a cancel; then the requirement is violated',
  ends: 'a scenario waits for the end of a request whose answer was cut, denied or failed, with further tries of the agent; then it ends, and nothing is violated by that alone',
  stall:
    'a scenario waits for the end of a request whose model falls silent, and is played only if you name this time; then it ends, and nothing is violated by that alone',
  abort:
    'a client has this time to close the connection that its caller aborted; then the requirement is violated',
  released:
    'a scenario waits for the client to close an aborted connection; then it goes on, and abort judges',
  slack:
    "a client has this time in addition to its caller's own timeout; then the timeout counts as ignored, and the requirement is violated",
  hang: 'a client may wait for a stream that falls silent; then it counts as waiting forever, and the requirement is violated',
  stalled:
    'a scenario waits for the end of a turn with a provider that falls silent or is always busy; then it goes on, and hang and slack judge. Make it longer than hang. A gateway that claims it has this time to give up a silent provider; then the requirement is violated',
  tries:
    'a gateway has this time for all attempts to get an answer from its providers; then the requirement is violated, or the scenario ends',
  leave:
    'a gateway has this time to end the request to its provider when its client has left; then the requirement is violated',
  barrier:
    'a gateway has this time to pass on the first piece of a stream while its provider waits; then the requirement is violated',
  body_end:
    'a model server has this time to end the body of an answer after its terminal; then the body counts as endless, and the requirement is violated',
  program:
    'a scenario waits for a whole program to end; then the program is stopped, and nothing is violated by that alone',
};
