/** The state of the reference client on a link. */
import type { LinkStep } from '../link/step.ts';
import type { EngineCommand, EngineEvent, ImageAttachment, LoopContinuation } from '../messages.ts';

/** How the reference client is set up. */
export interface ClientOptions {
  /**
   * The prompts of each link, sent one at a time: the first when the link opens, the next after each turn_end. Default:
   * `Hello.`; for an interactive client, no prompt.
   */
  readonly prompts: readonly string[];
  /** The images of each prompt. Default: no image. */
  readonly images: readonly ImageAttachment[];
  /** The answer to each approval_request; an object rejects with its feedback. Default `approve`. */
  readonly approval: 'approve' | 'reject' | { readonly feedback: string };
  /** The answer to each question. Absent: the first option; to a question without options a blank, which declines. */
  readonly answer?: string;
  /** The decision about each cap. Default `continue200`. */
  readonly cap: LoopContinuation;
  /** Interrupt each turn at its event of this number, from 1. A request that is this event is not answered. Absent: never. */
  readonly interruptAfter?: number;
  /** A message that cannot be read is dropped alone (KODA-65). Default true; false: it ends the link. */
  readonly unknownIsDropped: boolean;
  /** Commands that are sent after the turn of the last prompt, such as slash commands. Default: no command. */
  readonly commands: readonly EngineCommand[];
  /** Send `quit` and end the link after the last turn, and after `commands`. Default false. */
  readonly quitAfterLast: boolean;
  /** A person answers: see {@link client}. Default false. */
  readonly interactive: boolean;
}

/** A request of the engine without an answer. */
export type OpenRequest = Extract<
  EngineEvent,
  { type: 'approval_request' | 'ask_user_request' | 'loop_cap_reached' }
>;

/** A prompt of the user. */
export type Prompt = Extract<EngineCommand, { type: 'user_prompt' }>;

/** What the client remembers of a link. */
export interface ClientWork {
  readonly options: ClientOptions;
  /** The prompts that were not sent, in order. */
  readonly queue: Prompt[];
  /** The commands that were not sent, in order. */
  readonly commands: EngineCommand[];
  /** A prompt was sent, or a turn runs: no prompt is sent before the turn_end (KODA-62). */
  locked: boolean;
  /** The number of events of the running turn so far. */
  events: number;
  /** The open requests of the running turn, in order. */
  readonly open: OpenRequest[];
  /** The types and ids of the latest requests of the running turn. */
  readonly asked: Set<string>;
  /** Whether a turn has ended. */
  ended: boolean;
  /** Whether `quit` was sent. */
  quit: boolean;
}

export type ClientStep = LinkStep<ClientWork, EngineCommand>;

/** The state of a new link. */
export const startWork = (options: ClientOptions): ClientWork => ({
  options,
  queue: options.prompts.map((text) => ({ type: 'user_prompt', text, images: options.images })),
  commands: [...options.commands],
  locked: false,
  events: 0,
  open: [],
  asked: new Set(),
  ended: false,
  quit: false,
});
