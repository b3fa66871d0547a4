/** What the view of the rules over both wires keeps: requests of the gateway, exchanges with the model, injections. */
import type { Json } from '../../../src/kit/base/index.ts';
import type { Moment, RunView } from '../../../src/kit/judge/index.ts';
import type { LlmMessage } from '../../../src/llm/index.ts';
import type { AnswerAccount, Counts } from '../../llm/client/exchange.ts';
import type { ShowingTool } from './showing-tools.ts';

/** A tool of a request, as the gateway was shown it. */
export interface ShownTool extends Moment {
  readonly id: string;
  readonly name: string;
  /** When it was first shown as RUNNING or COMPLETED, or with a result that is no error. */
  ran: Moment | undefined;
  /** When it was first shown as COMPLETED, or with a result that is no error. */
  succeeded: Moment | undefined;
  /** When its approval was denied. */
  denied: Moment | undefined;
  /** When it was first shown with a result, or in a final state other than CANCELLED. */
  ended: Moment | undefined;
}

export interface RequestEnd {
  readonly how: 'done' | 'error' | 'cancelled';
  readonly text: string;
}

export interface GatewayRequest extends Moment {
  readonly id: string;
  /** The stream on which it came. */
  readonly stream: string;
  readonly thread: string;
  readonly content: string;
  /** When the gateway cancelled it. */
  cancel: Moment | undefined;
  /** Its end, and the text of that end. */
  ended: (Moment & RequestEnd) | undefined;
  /** Its texts, joined. */
  text: string;
  /** Its first texts, one by one, without those that are too short to be told from others. */
  readonly pieces: string[];
  /** When its last text came. */
  lastText: Moment | undefined;
  readonly usages: Counts[];
  readonly tools: Map<string, ShownTool>;
  /** The approvals that the agent asked for: by the id of the tool, its name. */
  readonly asks: Map<string, string>;
  /** Whether a decision approved all further tools of it. */
  approvesAll: boolean;
  /** The characters of the results of its tools. */
  resultText: number;
  /** Its exchanges with the model, in order. */
  readonly exchanges: ModelExchange[];
  /** Whether the agent asked the model while it ran, and no request can be named for it. */
  hasStrays: boolean;
}

/** An exchange with the model that belongs to the agent's conversation. */
export interface ModelExchange extends Moment {
  /** The name of its stream; in LM Studio, with its channel. */
  readonly key: string;
  /** Absent: no request of the gateway is in it. */
  readonly owner: GatewayRequest | undefined;
  readonly system: string;
  readonly messages: readonly LlmMessage[];
  readonly offersTools: boolean;
  /** The body as it was sent; in LM Studio, without its channel. */
  readonly body: Json;
  /** Whether the agent asked for a stream. */
  readonly streamed: boolean;
  /** Whether the provider refused it before any stream, and the status of that if the dialect has one. */
  readonly refused: boolean;
  readonly status: number | undefined;
  /** Whether it was refused because it is longer than the context window. */
  readonly overflowed: boolean;
  /** The output tokens that it asks for, which share the window in some models; undefined: it does not say. */
  readonly maxTokens: number | undefined;
  /** The delays of the machine and the network until it began (ms). */
  readonly late: number;
  /** The provider's account of its answer. */
  answered: (Moment & AnswerAccount) | undefined;
  /** When the agent closed or cancelled it before it was answered. */
  letGo: Moment | undefined;
}

export interface GivenInjection extends Moment {
  readonly id: string;
  readonly content: string;
  readonly priority: string;
  /** The requests that ran when it came. */
  readonly running: readonly GatewayRequest[];
  ack: (Moment & { readonly accepted: boolean }) | undefined;
  /** The threads in whose model requests it stood. */
  readonly threads: Set<string>;
}

/** The time limits of the rules (ms). */
export interface Timeouts {
  /** How long the agent may take to let go of an exchange. */
  readonly letgo: number;
  /** How long the process of a tool may go on after a cancel. */
  readonly gone: number;
  /** How long a model request may be under way while a message of the gateway stream overtakes it. */
  readonly crossing: number;
}

/** Everything before the event at hand. */
export interface BothView extends RunView<Timeouts & { readonly [name: string]: number }> {
  readonly requests: Map<string, GatewayRequest>;
  /** By key. */
  readonly exchanges: Map<string, ModelExchange>;
  readonly injections: Map<string, GivenInjection>;
  /** Bodies of requests, by the key of their exchange. */
  readonly bodies: Map<string, Json>;
  /** The names of tools that need an approval, as scenarios say. */
  readonly gated: Set<string>;
  /** The tools whose output is known in part, as the statement gives them. */
  showing: readonly ShowingTool[];
  /** The tokens of the window that a request may fill, as the statement gives them; 0: unknown. */
  room: number;
  /** Whether a model request offered tools. Then those without tools are no part of the conversation. */
  offersTools: boolean;
  forgotten: boolean;
}
