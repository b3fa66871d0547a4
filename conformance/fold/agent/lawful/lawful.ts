/** Makes lawful agents: the reference agent with one oddity that the protocol allows. */
import { intercepted, peerOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { agent, agentCodec, directive, parseDirective, serverCodec } from '../../../../src/fold/index.ts';
import type { AgentOptions, MessageResponse, SendMessage } from '../../../../src/fold/index.ts';
import { editRequests, editResponses, none } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext } from '../mutants/mutant.ts';
import { targetOptions } from '../target.ts';

/** Documents and sections that allow oddities, in words that a reader can find. */
export const documents = {
  usage: 'Fold Protocol Enhancements, 1. Token Usage Tracking',
  states: 'Fold Protocol Enhancements, 2. Structured Tool States',
  injection: 'Fold Protocol Enhancements, 3. Context Injection, Agent Behavior',
  cancellation: 'Fold Protocol Enhancements, 4. Request Cancellation',
  compatibility: 'Fold Protocol Enhancements, Backward Compatibility',
  schema: 'coven.proto, as published',
  page: 'spec/fold/README.md',
} as const;

/** The parts of a lawful agent besides its name and its oddity. */
export interface LawfulParts {
  /** The document and the section that allow the oddity. */
  readonly allowed: string;
  /** Makes the oddity of one run; absent: the options alone make it. */
  readonly oddity?: () => AgentFault;
  /** The agent's options that differ from the target's. */
  readonly options?: Partial<AgentOptions>;
  readonly lacks?: readonly string[];
  readonly drive?: 'passive';
  readonly unseen?: LawfulPeer['unseen'];
}

/** Makes a lawful agent. */
export function lawful(id: string, title: string, parts: LawfulParts): LawfulPeer {
  const { allowed, oddity = none, options = {}, lacks, drive, unseen } = parts;
  return {
    id,
    title,
    allowed,
    ...(lacks === undefined ? {} : { lacks }),
    ...(drive === undefined ? {} : { drive }),
    ...(unseen === undefined ? {} : { unseen }),
    make: () => peerOf(intercepted(agent({ ...targetOptions, ...options }), oddity), serverCodec, agentCodec),
  };
}

/** Steps of a directive, which the agent takes for a message. */
type Steps = (content: string, message: SendMessage) => readonly object[];

/** Takes these steps for each message in plain words. */
export const plainly = (steps: Steps): (() => AgentFault) =>
  editRequests((message) => {
    const { content = '' } = message;
    const parsed = parseDirective(content);
    return parsed.ok && parsed.value === undefined
      ? { ...message, content: directive(steps(content, message)) }
      : message;
  });

/** Takes these steps for every message: a directive is only words for this agent. */
export const always = (steps: Steps): (() => AgentFault) =>
  editRequests((message) => ({ ...message, content: directive(steps(message.content ?? '', message)) }));

/** Replaces responses. */
export const responses =
  (edit: (response: MessageResponse, context: FaultContext) => readonly MessageResponse[]) =>
  (): AgentFault =>
    editResponses(edit);
