/** The events of a run as lines for people. Pieces of a text are put together; an action has a line for each change. */
import { clip, exactText } from '../../../../src/kit/base/index.ts';
import type { SepAction, TimedEvent } from '../../../../src/sep/index.ts';

/** A line, and its time (s). */
export type ShowLine = (at: number, text: string) => void;

/** The kinds of text. */
type TextKind = 'thought' | 'response' | 'text' | 'context_feed';

const textKinds: readonly string[] = ['thought', 'response', 'text', 'context_feed'] satisfies TextKind[];

/** The most shown characters of a feed. */
const shownFeed = 160;

/** The most shown characters of a part. */
const shownPart = 160;

/** A text is cut at a blank near this length (characters). */
const lineLength = 80;

/** An action that did not start yet: its line waits for the next event. */
interface DeclaredAction {
  readonly at: number;
  readonly action: SepAction;
}

export class Screen {
  readonly #show: ShowLine;
  readonly #actions = new Map<string, { readonly action: SepAction; since: number }>();
  #kind = '';
  #text = '';
  #textAt = 0;
  #declared: DeclaredAction | undefined;

  /** @param show - takes each line */
  constructor(show: ShowLine) {
    this.#show = show;
  }

  /** Takes the next event. */
  take(event: TimedEvent): void {
    if (event.type === 'context_feed' && 'runtime' in event) {
      this.flush();
      const mark = event.stale === true ? ' (stale)' : '';
      const text = clip(event.text.replaceAll(/\s+/g, ' '), shownFeed);
      return this.#show(event.at, `feed ${event.id}${mark}: ${text}`);
    }
    if (textKinds.includes(event.type))
      return this.#takeText(event as TimedEvent & { type: TextKind; text: string });
    this.#flushText();
    if (event.type === 'action') {
      this.flush();
      this.#declared = { at: event.at, action: event.action };
      this.#actions.set(event.action.id, { action: event.action, since: event.at });
      return;
    }
    if (event.type !== 'started' || event.id !== this.#declared?.action.id) this.flush();
    this.#declared = undefined;
    const text = this.#textOf(event);
    if (text !== undefined) this.#show(event.at, text);
  }

  /** Shows what waits to be put together. */
  flush(): void {
    this.#flushText();
    const declared = this.#declared;
    this.#declared = undefined;
    if (declared === undefined) return;
    const { id, depends_on: producers } = declared.action;
    const why = producers.length === 0 ? '' : ` for ${producers.join(', ')}`;
    this.#show(declared.at, `${id} waits${why}: ${kindOf(declared.action)}`);
  }

  #takeText({ type, text, at }: TimedEvent & { type: TextKind; text: string }): void {
    if (type !== this.#kind) {
      this.flush();
      this.#kind = type;
    }
    if (this.#text === '') this.#textAt = at;
    this.#text += text;
    for (let cut = cutOf(this.#text); cut > 0; cut = cutOf(this.#text)) {
      this.#showText(this.#text.slice(0, cut));
      this.#text = this.#text.slice(cut);
      this.#textAt = at;
    }
  }

  #flushText(): void {
    this.#showText(this.#text);
    this.#text = '';
    this.#kind = '';
  }

  #showText(text: string): void {
    const line = text.trim();
    if (line !== '') this.#show(this.#textAt, `${this.#kind}: ${line}`);
  }

  /** The line of an event that is no text; undefined: it has none. */
  #textOf(event: TimedEvent): string | undefined {
    switch (event.type) {
      case 'started': {
        const known = this.#actions.get(event.id);
        if (known !== undefined) known.since = event.at;
        return `${event.id} runs: ${known === undefined ? '' : `${kindOf(known.action)} `}${exactText(event.parameters)}`;
      }
      case 'completed':
        return `${event.id} is done after ${this.#took(event)}: ${exactText(event.output)}`;
      case 'failed': {
        const attempts = event.attempts > 1 ? `, ${event.attempts} attempts` : '';
        return `${event.id} failed after ${this.#took(event)}${attempts}: ${event.error}`;
      }
      case 'partial':
        return `${event.id} part ${event.n}: ${clip(exactText(event.output), shownPart)}`;
      case 'rollback':
        return rollbackLine(event);
      case 'skipped':
        return `${event.id} is skipped because of ${event.because}`;
      case 'iteration':
        return event.n === 1 ? undefined : `iteration ${event.n}`;
      case 'diagnostic':
        if (event.level === 'info') return `advice: ${event.message} (${event.code})`;
        return `remark: ${event.message} (${event.code}, at character ${event.offset})`;
      case 'condition':
        return `if ${event.test}: ${event.value}`;
      case 'loop':
        return `foreach in ${event.list}: ${event.rounds} rounds`;
      case 'template':
        return `template ${event.name}: ${event.template.type} ${event.template.name}`;
      case 'response_end':
        return event.complete ? undefined : 'the response has no end';
      case 'finished':
        return `finished: ${finishes[event.reason]}`;
      default:
        return undefined;
    }
  }

  #took({ id, at }: { readonly id: string; readonly at: number }): string {
    const seconds = at - (this.#actions.get(id)?.since ?? at);
    this.#actions.delete(id);
    return `${seconds.toFixed(2)} s`;
  }
}

function rollbackLine(event: Extract<TimedEvent, { type: 'rollback' }>): string {
  if (event.status === 'failed') return `${event.id} is not undone: ${event.error}`;
  return event.status === 'started' ? `${event.id} is being undone` : `${event.id} is undone`;
}

const finishes = {
  final: 'the model gave a final response',
  max_iterations: 'the model gave no final response, and there is no further output',
  failed: 'an action with on_error fail has failed',
  cancelled: 'interrupted',
} as const;

const kindOf = ({ type, name, mode }: SepAction): string => `${type} ${name}, ${mode}`;

/** Where a text is cut into lines: behind a line's end, else at a blank of a long text; 0: not yet. */
function cutOf(text: string): number {
  const end = text.indexOf('\n') + 1;
  if (end > 0) return end;
  return text.length <= lineLength ? 0 : text.lastIndexOf(' ', lineLength) + 1 || lineLength;
}
