/** The extensions as features that a testee advertises in `hello`. */
import type { Feature } from '../../src/kit/suite/index.ts';
import type { ExtensionName } from '../../src/sep/index.ts';

const texts: { readonly [N in ExtensionName]: string } = {
  conditions: 'the tag if',
  loops: 'the tag foreach',
  groups: 'the tag parallel',
  templates: 'the tag template, and actions of this type',
  sub_thoughts: 'the depth of thoughts',
  rollback: 'actions that are undone when the turn fails',
  partial_results: 'events of the parts of an output',
  transformations: 'the steps of transform in a feed',
  cross_feed_references: 'references to feeds in the params of other feeds',
  distributed_feeds: 'sources of the type remote',
};

/** A feature for each extension. */
export const extensionFeatures: readonly Feature[] = Object.entries(texts).map(([name, text]) => ({
  name,
  advertised: true,
  text,
}));

/** By theme: the extension that its tests need. */
export const featuresOfThemes: { readonly [theme: string]: readonly ExtensionName[] } = {
  conditions: ['conditions'],
  loops: ['loops'],
  groups: ['groups'],
  templates: ['templates'],
  'sub-thoughts': ['sub_thoughts'],
  rollback: ['rollback'],
  'partial-results': ['partial_results'],
  transformations: ['transformations'],
  'cross-feeds': ['cross_feed_references'],
  'distributed-feeds': ['distributed_feeds'],
};
