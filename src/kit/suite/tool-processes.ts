/** The tools that a session's scenarios call, and the watch over their processes while a scenario is played. */
import { ProcessWatch } from './process-watch.ts';
import type { ProcessWatchOptions } from './process-watch.ts';
import type { NamedTools } from './suite.ts';
import { ToolWords } from './tool-words.ts';

/** The options of a session's watches. */
interface ToolProcessOptions extends Pick<ProcessWatchOptions, 'clock' | 'mark'> {
  /** Absent: the machine's processes are not shown. */
  readonly list?: ProcessWatchOptions['list'] | undefined;
  readonly tools: NamedTools;
  /** Begins the word of each call. */
  readonly prefix: string;
}

export class ToolProcesses {
  readonly words: ToolWords;
  readonly #options: ToolProcessOptions;
  #watch: ProcessWatch | undefined;

  constructor(options: ToolProcessOptions) {
    this.#options = options;
    this.words = new ToolWords(options.tools, options.prefix);
  }

  /** Watches the processes of these tools from now on. */
  watch(tools: readonly string[] = []): void {
    if (tools.length === 0) return;
    const { clock, mark, list = () => undefined } = this.#options;
    this.#watch = new ProcessWatch({ clock, mark, list, tools, words: () => this.words.words });
    this.#watch.begin();
  }

  /** Ends the watch. */
  stop(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }
}
