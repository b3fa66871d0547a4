/** Emits what has a JSON body: actions, and templates if the extension is on. */
import type { Extensions } from './extensions.ts';
import { TemplateBook } from './templates.ts';
import type { TemplateOptions } from './templates.ts';
import { ActionReader, lastOfEach } from './action.ts';
import type { Remark } from './action.ts';
import type { SepEvent } from './events.ts';
import type { BodyTag, ClosedAction } from './open-action.ts';
import { attributesOf } from './tag.ts';

/** Options of the bodies of a run. */
export interface BodyOptions extends TemplateOptions {
  /** The ids of the actions of earlier iterations; new ones are added. */
  readonly ids?: Set<string>;
}

export class Bodies {
  readonly #emit: (event: SepEvent) => void;
  readonly #mostBody: number;
  readonly #actions: ActionReader;
  readonly #templates: TemplateBook | undefined;

  /**
   * @param emit - takes each event
   * @param options - limits, and what earlier iterations have taken
   * @param extensions - those that are on
   */
  constructor(emit: (event: SepEvent) => void, options: BodyOptions, extensions: Extensions) {
    this.#emit = emit;
    this.#mostBody = options.mostBody;
    this.#templates = extensions.has('templates') ? new TemplateBook(options) : undefined;
    this.#actions = new ActionReader(options.ids, this.#templates, extensions.has('rollback'));
  }

  /** Takes a body that has ended. `inBlock`: it stands in a block of an extension. */
  take(tag: BodyTag, closed: ClosedAction, inBlock: boolean): void {
    const remark: Remark = (code, message) =>
      this.#emit({ type: 'diagnostic', code, message, offset: closed.offset });
    if (tag === 'action') this.#takeAction(closed, inBlock, remark);
    else this.#takeTemplate(closed, remark);
  }

  #takeAction({ source, body, value }: ClosedAction, inBlock: boolean, remark: Remark): void {
    if (body === undefined)
      return remark('body-too-large', `expected a body of at most ${this.#mostBody} characters`);
    const action = this.#actions.read(source, body, remark, value, inBlock);
    if (action !== undefined) this.#emit({ type: 'action', action });
  }

  #takeTemplate({ source, body }: ClosedAction, remark: Remark): void {
    const name = lastOfEach(attributesOf(source), remark).get('name') ?? '';
    const template = this.#templates?.define(name, body, remark);
    if (template !== undefined) this.#emit({ type: 'template', name, template });
  }
}
