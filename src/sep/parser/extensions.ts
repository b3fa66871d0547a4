/** The extensions of SEP, from "Future Enhancements": each is switched on or off by its name (spec/sep/README.md). */
import { WireproofError } from '../../kit/base/index.ts';

/** The names of the extensions. */
export const extensionNames = [
  'conditions',
  'loops',
  'groups',
  'templates',
  'sub_thoughts',
  'rollback',
  'partial_results',
  'transformations',
  'cross_feed_references',
  'distributed_feeds',
] as const;

/** The name of an extension. */
export type ExtensionName = (typeof extensionNames)[number];

/** The extensions that are switched on or off. The others are as they are by default. */
export type ExtensionSwitches = { readonly [N in ExtensionName]?: boolean };

/** The extensions that are on. */
export type Extensions = ReadonlySet<ExtensionName>;

/** An example of the document has a cross-feed reference ("LLM-Generated Context"). All others are off. */
const onByDefault: Extensions = new Set<ExtensionName>(['cross_feed_references']);

/**
 * The extensions that are on.
 *
 * @example
 * [...extensionsOf({ loops: true })]; // ['loops', 'cross_feed_references']
 */
export const extensionsOf = (switches: ExtensionSwitches = {}): Extensions =>
  new Set(extensionNames.filter((name) => switches[name] ?? onByDefault.has(name)));

/**
 * The switches in texts such as `loops` and `cross_feed_references=off`. `all` means each of them.
 *
 * @throws WireproofError 'usage' for another text
 */
export const switchesOf = (texts: readonly string[]): ExtensionSwitches =>
  Object.fromEntries(
    texts.flatMap((text) => {
      const [, name = '', word = 'on'] = /^(\w+)(?:=(on|off))?$/.exec(text) ?? [];
      const named = extensionNames.filter((known) => known === name || name === 'all');
      if (named.length === 0)
        throw new WireproofError(
          'usage',
          `--extension ${text}: expected NAME, NAME=on or NAME=off, with one of the names ${extensionNames.join(', ')}, all`,
        );
      return named.map((known) => [known, word === 'on'] as const);
    }),
  );
