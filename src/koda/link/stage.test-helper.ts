/** The reference roles on a stage: one link, the messages of the other side, and the outputs of the role in short words. */
import type { PeerCommand, Role } from '../../kit/base/index.ts';
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';
import { client } from '../client/client.ts';
import type { ClientOptions, ClientWork } from '../client/state.ts';
import { directive } from '../directive.ts';
import { engine } from '../engine/engine.ts';
import type { EngineOptions, EngineWork } from '../engine/state.ts';
import type { EngineCommand, EngineEvent } from '../messages.ts';
import type { LinksState } from './step.ts';

/** A role with the link `s1` open. */
export class Stage<
  W,
  In extends { readonly type: string },
  Out extends { readonly type: string },
> extends RoleStage<LinksState<W, Out>, In, Out, PeerCommand<Out>> {
  constructor(role: Role<LinksState<W, Out>, In, Out, PeerCommand<Out>>) {
    super(role);
    this.give({ type: 'started' });
    this.give({ type: 'opened', peer: 's1', metadata: {} });
  }

  /** What the role remembers of the link. */
  get work(): W {
    const link = this.state.open.get('s1');
    if (link === undefined) throw new Error('the link is closed');
    return link.work;
  }

  /** The other side sends messages. Timers that are due fire. */
  say(...messages: In[]): this {
    for (const message of messages) this.give({ type: 'message', peer: 's1', message });
    return this.pass(0);
  }

  /** Something happens to the link. */
  link(type: 'full' | 'drained' | 'half_close' | 'left'): this {
    this.give({ type, peer: 's1' });
    return this.pass(0);
  }

  /** An operator gives a command. */
  order(command: PeerCommand<Out>): this {
    this.give({ type: 'command', command });
    return this.pass(0);
  }

  /** The messages of a type since the last call. */
  sentOf<T extends Out['type']>(type: T): Extract<Out, { type: T }>[] {
    return this.sent().filter((message): message is Extract<Out, { type: T }> => message.type === type);
  }

  /** The outputs since the last call, each in short words; without the events that may come at any time. */
  did(): string[] {
    return this.take().flatMap((output) => {
      if (output.type === 'tell') return [`(${output.what})`];
      if (output.type === 'close') return [`close ${output.status.code}`];
      if (output.type !== 'send') return [output.type];
      return beside.has(output.message.type) ? [] : [inShort(output.message)];
    });
  }
}

const beside: ReadonlySet<string> = new Set(['spinner_start', 'spinner_stop', 'status_update']);

/** The fields of a message that are shown besides its type. */
const shown = [
  'text',
  'name',
  'line',
  'output',
  'reason',
  'cap',
  'used',
  'message',
  'answer',
  'decision',
  'action',
];

/** A message in short words. */
function inShort(message: { readonly type: string }): string {
  const words = Object.entries(message).flatMap(([name, value]: [string, unknown]) => {
    if (!shown.includes(name)) return [];
    if (typeof value !== 'object' || value === null) return [String(value)];
    return Object.values(value).map(String);
  });
  return [message.type, ...words].join(' ');
}

/** The reference engine on a stage. */
export type EngineStage = Stage<EngineWork, EngineCommand, EngineEvent>;

/** The reference client on a stage. */
export type ClientStage = Stage<ClientWork, EngineEvent, EngineCommand>;

export const engineStage = (options: Partial<EngineOptions> = {}): EngineStage => new Stage(engine(options));

export const clientStage = (options: Partial<ClientOptions> = {}): ClientStage => new Stage(client(options));

export const promptOf = (text: string): EngineCommand => ({ type: 'user_prompt', text, images: [] });

export const todo = (...steps: readonly object[]): EngineCommand => promptOf(directive(steps));

/** An engine that has this directive. */
export const told = (...steps: readonly object[]): EngineStage => engineStage().say(todo(...steps));

export const interrupt: EngineCommand = { type: 'interrupt' };
