"""The manifest of an agent of SEP: its context feeds, and which internal actions its model may use.

Python 3.8 or newer. `read` needs PyYAML (Debian: python3-yaml); the rest is the standard library alone.

    >>> feed({'id': 'load', 'type': 'tool', 'source': {'name': 'top'}})
    {'id': 'load', 'type': 'on_demand', 'source': {'name': 'top', 'type': 'tool', 'params': {}}, 'enabled': True}
"""
import math
import re

SOURCES = ('internal', 'tool', 'relic', 'workflow', 'llm', 'remote')
YES, NO = ('true', '1', 'yes', 'on'), ('false', '0', 'no', 'off', '')
VARIABLE = re.compile(r'\$\{([A-Za-z_][A-Za-z0-9_]*)\}')
MOST_SECONDS = 31536000
# The plain scalars of YAML 1.2 that are no texts: what they look like, and how they may begin.
CORE_TYPES = (('null', r'~|null|Null|NULL|', ['~', 'n', 'N', '']),
              ('bool', r'true|True|TRUE|false|False|FALSE', list('tTfF')),
              ('int', r'[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+', list('-+0123456789')),
              ('float', r'[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?', list('-+.0123456789')))
BASES = {'0o': 8, '0x': 16}


class Refused(ValueError):
    """What is no manifest, or no feed. The message says why."""


class Manifest:
    """`feeds`: checked, in their order. `env` and `urls`: the variables and servers that feeds may reach."""

    def __init__(self, given=None):
        given = {'context_feeds': given} if isinstance(given, list) else {} if given is None else given
        if not isinstance(given, dict):
            raise Refused('expected the manifest to be an object or a list of feeds')
        given = without_null(given)
        listed = given.get('context_feeds', [])
        if not isinstance(listed, list):
            raise Refused('expected context_feeds to be a list')
        self.feeds = [feed(one, in_manifest=True) for one in listed]
        ids = [one['id'] for one in self.feeds]
        for name in ids:
            if ids.count(name) > 1:
                raise Refused('expected no two feeds with the id %s' % name)
        self.env = {name for one in self.feeds for name in env_names(one['source'])}
        self.urls = {one['source'].get('url') for one in self.feeds}
        self._read_internal_actions(given.get('internal_actions', {}))

    def _read_internal_actions(self, given):
        only(given, ('enabled', 'allowed_actions', 'blocked_actions'), 'internal_actions')
        present = without_null(given)
        self.enabled = switch(present.get('enabled', True), lax=True)
        # An empty list allows nothing, also if YAML reads it as null.
        self.allowed = texts(present.get('allowed_actions', [])) if 'allowed_actions' in given else None
        self.blocked = texts(present.get('blocked_actions', []))

    def denial(self, name):
        """Why the model may not use an internal action; None if it may."""
        if not self.enabled:
            return 'the manifest disables internal actions'
        if name in self.blocked:
            return 'the manifest blocks %s' % name
        if self.allowed is not None and name not in self.allowed:
            return 'the manifest does not allow %s' % name
        return None


def read(text, env):
    """The manifest in a YAML text. Raises Refused."""
    import yaml
    try:
        given = yaml.load(text, Loader=core_loader(yaml))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise Refused('expected YAML: %s' % error)
    return Manifest(expanded(given, env))


def core_loader(yaml):
    """PyYAML reads YAML 1.1. In YAML 1.2, `on` is a text, as is 1:30 and a date."""
    class Core(yaml.SafeLoader):
        yaml_implicit_resolvers = {}

        def compose_node(self, parent, index):
            if self.check_event(yaml.AliasEvent):  # a few of them make a document of any size
                raise Refused('expected no aliases in the YAML')
            return super().compose_node(parent, index)

        def construct_mapping(self, node, deep=False):
            keys = [key.value for key, _ in node.value]
            if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
                raise Refused('expected keys that are texts, each once, in line %d' % (node.start_mark.line + 1))
            return {key.value: self.construct_object(value, deep=True) for key, value in node.value}
    for tag, form, first in CORE_TYPES:
        Core.add_implicit_resolver('tag:yaml.org,2002:' + tag, re.compile('(?:%s)$' % form), first)
    Core.add_constructor('tag:yaml.org,2002:int', lambda loader, node: int(node.value, BASES.get(node.value[:2], 10)))
    Core.add_constructor('tag:yaml.org,2002:float', lambda loader, node: float(node.value))
    return Core


def expanded(value, env):
    """A value with the variables of the environment. One that is not set is empty; keys stay."""
    if isinstance(value, dict):
        return {key: expanded(one, env) for key, one in value.items()}
    if isinstance(value, list):
        return [expanded(one, env) for one in value]
    return VARIABLE.sub(lambda found: env.get(found.group(1), ''), value) if isinstance(value, str) else value


# -- the form of a feed -----------------------------------------------------------------------------------------------

def feed(given, in_manifest=False):
    """A feed in its checked form: its type says when it is fetched, its source where from. Raises Refused."""
    only(given, ('id', 'type', 'interval', 'source', 'enabled', 'cache_ttl', 'max_tokens'), 'a feed')
    one = without_null(given)
    line(one.get('id'), 'id')
    kind = one.get('type')
    if kind not in ('on_demand', 'periodic') + SOURCES:
        raise Refused('expected the type of %s to be on_demand, periodic or a type of sources' % one['id'])
    one['source'] = source(one.get('source'), kind)
    if kind in SOURCES:
        one['type'] = 'on_demand'
    if 'interval' in one and not (number(one['interval']) and 0 < one['interval'] <= MOST_SECONDS):
        raise Refused('expected interval to be a number of seconds above 0')
    if kind == 'periodic' and 'interval' not in one:
        raise Refused('expected the periodic feed %s to have an interval' % one['id'])
    if 'cache_ttl' in one and not (number(one['cache_ttl']) and 0 <= one['cache_ttl'] <= MOST_SECONDS):
        raise Refused('expected cache_ttl to be a number of seconds')
    most = one.get('max_tokens', 1)
    if not number(most) or most != int(most) or not 1 <= most <= 1000000000:
        raise Refused('expected max_tokens to be a whole number from 1 on')
    one['enabled'] = switch(one.get('enabled', True), lax=in_manifest)
    return one


def source(given, kind):
    only(given, ('type', 'action', 'name', 'params', 'url'), 'source')
    one = without_null(given)
    one.setdefault('type', kind if kind in SOURCES else None)
    if one['type'] not in SOURCES:
        raise Refused('expected the type of a source to be one of %s' % ', '.join(SOURCES))
    member, other = ('action', 'name') if one['type'] == 'internal' else ('name', 'action')
    line(one.get(member), '%s of a source of the type %s' % (member, one['type']))
    if other in one or ('url' in one) != (one['type'] == 'remote'):
        raise Refused('expected %s in no source of the type %s, and url in remote ones alone' % (other, one['type']))
    if not isinstance(one.setdefault('params', {}), dict):
        raise Refused('expected params to be an object')
    if 'url' in one and not (isinstance(one['url'], str) and re.match(r'https?://.', one['url'])):
        raise Refused('expected a url to begin with http:// or https://')
    return one


def env_names(one):
    """The variables that a source of the environment reads."""
    names = one['params'].get('names') if (one['type'], one.get('action')) == ('internal', 'env') else None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def switch(value, lax):
    """`enabled` as true or false. A text that is neither means false in a manifest, and is refused in an action."""
    if isinstance(value, str):
        word = value.lower()
        if word not in YES + NO and not lax:
            raise Refused('expected enabled to be true or false; came %s' % value)
        return word in YES
    if not isinstance(value, bool):
        raise Refused('expected enabled to be true, false or a text')
    return value


def only(given, known, what):
    if not isinstance(given, dict):
        raise Refused('expected %s to be an object' % what)
    for key in without_null(given):
        if key not in known:
            raise Refused('expected %s to have no member but %s; came %s' % (what, ', '.join(known), key))


def without_null(given):
    return {key: value for key, value in given.items() if value is not None}


def line(value, what):
    if not isinstance(value, str) or not re.fullmatch(r'.{1,256}', value):
        raise Refused('expected %s to be a text of one line, from 1 to 256 characters' % what)


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def texts(value):
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Refused('expected a list of names')
    return value
