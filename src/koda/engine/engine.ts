/**
 * The reference engine of Koda: it runs one turn for each prompt, obeys directives, asks, pauses and is interrupted. A
 * pure role that accepts links, each a session of its own; spec/koda/README.md is its contract.
 */
import { linkRole } from '../link/role.ts';
import type { LinkPolicy, LinkRole } from '../link/role.ts';
import type { LinksState } from '../link/step.ts';
import type { EngineCommand, EngineEvent } from '../messages.ts';
import { obey, quit } from './commands.ts';
import { startSession } from './state.ts';
import type { EngineOptions, EngineWork } from './state.ts';
import { proceed } from './turn.ts';

/** The state of the reference engine; handed over at each step. */
export type EngineState = LinksState<EngineWork, EngineEvent>;

/** The reference engine as a role. */
export type EngineRole = LinkRole<EngineWork, EngineCommand, EngineEvent>;

const defaults: EngineOptions = {
  seed: 'koda',
  model: 'reference',
  provider: 'wireproof',
  approvalMode: 'ask',
  contextUsed: 100,
  contextMax: 32_000,
};

/**
 * Makes the reference engine. A prompt that is no directive is repeated: there is no model here. It tells its application
 * of a `dropped` message that cannot be read, of an `ignored` answer without its question, and of a `withheld` message to a
 * client that does not read.
 *
 * The commands `send` and `raw` send a message or bytes on the newest link, as they are; `end` and `shutdown` close all
 * links.
 *
 * @example
 * const role = engine({ seed: '7' });
 * const opened = role.step(role.start(), { type: 'opened', peer: 's1', metadata: {} }, 0);
 * const message: EngineCommand = { type: 'user_prompt', text: 'hi', images: [] };
 * const { outputs } = role.step(opened.state, { type: 'message', peer: 's1', message }, 0);
 * outputs.length; // 9
 */
export function engine(overrides: Partial<EngineOptions> = {}): EngineRole {
  const options: EngineOptions = { ...defaults, ...overrides };
  return linkRole({ ...policy, begin: () => startSession(options) });
}

const policy: Omit<LinkPolicy<EngineWork, EngineCommand, EngineEvent>, 'begin'> = {
  name: 'koda/engine',
  message(step, command) {
    obey(step, command);
    proceed(step);
  },
  timer(step, name) {
    const { turn } = step.work;
    if (name === 'time' && turn?.wait.on === 'time') turn.wait = { on: 'nothing' };
    proceed(step);
  },
  halfClosed: proceed,
  loadChanged: proceed,
  stopping: quit,
};
