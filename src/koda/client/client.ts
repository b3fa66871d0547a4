/**
 * The reference client of Koda: it sends its prompts one at a time, and answers each request of the engine once. A pure
 * role that accepts links; spec/koda/README.md is its contract.
 */
import { linkRole } from '../link/role.ts';
import type { LinkPolicy, LinkRole } from '../link/role.ts';
import type { LinksState } from '../link/step.ts';
import type { EngineCommand, EngineEvent } from '../messages.ts';
import { answerOpen, personsAnswer, questionOf } from './requests.ts';
import { startWork } from './state.ts';
import type { ClientOptions, ClientStep, ClientWork, Prompt } from './state.ts';
import { interrupt, prompt, quit, take } from './turns.ts';

export type { ClientOptions } from './state.ts';

/** The state of the reference client; handed over at each step. */
export type ClientState = LinksState<ClientWork, EngineCommand>;

/** The reference client as a role. */
export type ClientRole = LinkRole<ClientWork, EngineEvent, EngineCommand>;

const defaults: Omit<ClientOptions, 'prompts'> = {
  images: [],
  approval: 'approve',
  cap: 'continue200',
  commands: [],
  unknownIsDropped: true,
  quitAfterLast: false,
  interactive: false,
};

/**
 * Makes the reference client. It tells its application of the end of each `turn`, of an `error` event, of a `repeated`
 * request, and of a `dropped` message that cannot be read.
 *
 * The command `send` sends a message as it is. In an interactive client the text of a `user_prompt` is what a person
 * types. While a request is open, the text answers it. `/interrupt` interrupts the turn, and `/quit` ends the session.
 * Any other text that is not blank is a prompt, which waits for the end of the running turn. An interactive client tells
 * its application of each request that it `asked` the person.
 *
 * @example
 * const role = client({ prompts: ['hi'] });
 * const { outputs } = role.step(role.start(), { type: 'opened', peer: 's1', metadata: {} }, 0);
 * outputs; // [{ type: 'send', peer: 's1', message: { type: 'user_prompt', text: 'hi', images: [] } }]
 */
export function client(overrides: Partial<ClientOptions> = {}): ClientRole {
  const prompts = overrides.interactive === true ? [] : ['Hello.'];
  const options: ClientOptions = { ...defaults, prompts, ...overrides };
  return linkRole({ ...policy, begin: () => startWork(options) });
}

const policy: Omit<LinkPolicy<ClientWork, EngineEvent, EngineCommand>, 'begin'> = {
  name: 'koda/client',
  opened: prompt,
  message: take,
  dropped(step) {
    if (!step.work.options.unknownIsDropped) step.close(3, 'a message cannot be read');
  },
  halfClosed: (step) => step.close(0, 'done'),
  loadChanged(step) {
    answerOpen(step);
    prompt(step);
  },
  order(step, command) {
    if (step.work.options.interactive && command.type === 'user_prompt') hear(step, command);
    else step.send(command);
  },
};

/** The most prompts of a person that wait. */
const maxQueued = 1024;

/** Takes a text that a person typed. */
function hear(step: ClientStep, typed: Prompt): void {
  const { work } = step;
  if (work.quit) return;
  const word = typed.text.trim();
  if (word === '/quit') return quit(step);
  if (word === '/interrupt') {
    if (work.locked) interrupt(step);
    else step.tell('idle', 'no turn runs');
    return;
  }
  const [request] = work.open;
  if (request === undefined) {
    if (word === '') return;
    if (work.queue.length >= maxQueued) return step.tell('dropped', 'too many prompts wait');
    work.queue.push(typed);
    return prompt(step);
  }
  const answer = personsAnswer(request, typed.text);
  if (answer === undefined) return step.tell('asked', questionOf(request));
  work.open.shift();
  step.send(answer);
  const [next] = work.open;
  if (next !== undefined) step.tell('asked', questionOf(next));
}
