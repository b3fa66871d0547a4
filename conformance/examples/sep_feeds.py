"""The context feeds of a run of SEP: when they are fetched, what the model sees of them, and the internal actions.

Python 3.8 or newer, standard library only. The time is given in seconds from the begin of the run; no fetch takes any.

    >>> feeds = Feeds(Manifest([{'id': 'load', 'type': 'tool', 'source': {'name': 'top'}}]), {'top': [0.5, 0.7]})
    >>> [event['text'] for event in feeds.fetch_due(0, first=True)], feeds.blocks()
    (['0.5'], ['<context_feed id="load">\\n0.5\\n</context_feed>'])
"""
import datetime
import random

from sep_manifest import Manifest, Refused, feed, line, number, only, without_null
from sep_parser import is_texts
from sep_values import NAME, escaped, filled, in_cycles, names_in, text_of

CHARACTERS_OF_A_TOKEN = 4
LEAST_INTERVAL = 0.01
INSTANT = 1e-6  # times that are closer are the same


class Failure(ValueError):
    """Why a fetch, or an internal action, has failed."""


class Feed:
    def __init__(self, given):
        self.given, self.id = given, given['id']
        self.known, self.value, self.failed = False, None, False
        self.fetched = None  # when the last fetch was
        self.valued = None  # when the value came

    def fresh(self, now):
        return self.known and now + INSTANT < self.valued + self.given.get('cache_ttl', 0)

    def next(self):
        """When a periodic feed is to be fetched."""
        then = 0 if self.fetched is None else self.fetched + max(self.given['interval'], LEAST_INTERVAL)
        return max(then, self.valued + self.given.get('cache_ttl', 0)) if self.known else then

    def due(self, now):
        if self.given['type'] == 'periodic':
            return self.next() <= now + INSTANT
        return not self.fresh(now)

    def visible(self):
        return self.known and self.given['enabled']

    def shown(self):
        """A pair: the text for the model, and whether it was cut."""
        text, most = text_of(self.value), self.given.get('max_tokens', 0) * CHARACTERS_OF_A_TOKEN
        return (text[:most], True) if most and len(text) > most else (text, False)

    def block(self):
        text, cut = self.shown()
        marks = ' stale="true"' * self.failed + ' truncated="true"' * cut
        return '<context_feed id="%s"%s>\n%s\n</context_feed>' % (escaped(self.id), marks, escaped(text))


class Feeds:
    """`values`: by the name of sources, a value for each fetch; the last one repeats. `errors`: the reasons why fetches
    fail, by the number of the fetch from 1. `began`: the time at 0 s."""

    def __init__(self, manifest=None, values=None, env=None, began=None, errors=None):
        self.manifest, self.values, self.env = manifest or Manifest(), values or {}, env or {}
        self.errors = errors or {}
        self.began = began or datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        self.variables = {}  # what set_variable changes
        self.look_up = self.value_of  # what a name in the params of a source means
        self.list = [Feed(given) for given in self.manifest.feeds]
        self.calls, self.used, self.iteration = {}, {}, 0

    def find(self, name):
        return next((one for one in self.list if one.id == name), None)

    def value_of(self, name):
        """A pair: whether a feed of this name has a value, and the value: the cut text, if it was cut."""
        one = self.find(name)
        if one is None or not one.visible():
            return False, None
        text, cut = one.shown()
        return True, text if cut else one.value

    def blocks(self):
        """What the prompt of an iteration begins with."""
        return [one.block() for one in self.list if one.visible()]

    # -- fetches ------------------------------------------------------------------------------------------------------

    def next_due(self):
        """When the next periodic feed is to be fetched; None without one."""
        return min((one.next() for one in self.list if one.given['type'] == 'periodic' and one.given['enabled']),
                   default=None)

    def fetch_due(self, now, first=False):
        """Fetches the feeds that are due: at the begin of an iteration all, else the periodic ones. Returns events."""
        return self._fetch([one for one in self.list if one.given['enabled'] and one.due(now)
                            and (first or one.given['type'] == 'periodic')], now)

    def _fetch(self, left, now):
        """Fetches feeds, and first those that the params of others name. Those that name each other fail."""
        events = []
        while left:
            waits = {one.id: [name for name in names_in(one.given['source']['params'])
                              if any(other.id == name for other in left)] for one in left}
            cycle = in_cycles(waits)
            for one in [one for one in left if not waits[one.id] or one.id in cycle]:
                events.append(self._fetch_one(one, now, one.id in cycle))
                left.remove(one)
        return events

    def _fetch_one(self, one, now, in_cycle):
        one.fetched = now
        try:
            if in_cycle:
                raise Failure('its feeds name each other')
            value = self._value(one, now)
        except Failure as failure:
            one.failed = True
            return {'type': 'diagnostic', 'code': 'feed-failed', 'offset': 0,
                    'message': 'the feed %s has no new value: %s' % (one.id, failure)}
        one.valued, one.known, one.value, one.failed = now, True, value, False
        return {'type': 'context_feed', 'id': one.id, 'text': one.shown()[0], 'runtime': True}

    def _value(self, one, now):
        source = one.given['source']
        name = source.get('action') or source.get('name')
        self.calls[name] = self.calls.get(name, 0) + 1
        error = self.errors.get(name, {}).get(str(self.calls[name]))
        if error is not None:
            raise Failure(error)
        turn, values = self.used.get(name, 0), self.values.get(name)
        self.used[name] = turn + 1
        if values:
            return values[min(turn, len(values) - 1)]
        made = INTERNAL_SOURCES.get(name) if source['type'] == 'internal' else None
        if made is None:
            raise Failure('there is no source %s of the type %s' % (name, source['type']))
        return made(self, filled(source['params'], self.look_up, lambda name: '$' + name), now)

    def _clock(self, params, now):
        time = self.began + datetime.timedelta(seconds=now)
        form, zone = params.get('format', 'ISO8601'), params.get('timezone', 'UTC')
        if zone != 'UTC':
            try:
                from zoneinfo import ZoneInfo  # Python 3.9
                time = time.astimezone(ZoneInfo(zone))
            except (ImportError, KeyError, TypeError, ValueError):
                raise Failure('there is no time zone %s' % zone)
        time = time.replace(microsecond=0)
        forms = {'ISO8601': time.isoformat().replace('+00:00', 'Z'), 'date': time.strftime('%Y-%m-%d'),
                 'time': time.strftime('%H:%M:%S'), 'unix': int(time.timestamp())}
        if not isinstance(form, str) or form not in forms:
            raise Failure('there is no format %s' % form)
        return forms[form]

    def _random(self, params, now):
        least, most = params.get('min', 0), params.get('max', 1)
        if not number(least) or not number(most) or least > most:
            raise Failure('expected min and max to be numbers')
        if isinstance(params.get('min'), int) and isinstance(params.get('max'), int):
            return random.randint(least, most)
        return least + random.random() * (most - least)

    def _env(self, params, now):
        names = params.get('names')
        if not is_texts(names):
            raise Failure('expected names to be a list of texts')
        for name in names:  # the model may have added this feed, or changed it
            if name not in self.manifest.env:
                raise Failure('no env feed of the manifest names the variable %s' % name)
        return {name: self.env[name] for name in names if name in self.env}

    def _debug_context(self, params, now):
        return {'iteration': self.iteration, 'seconds': now, 'feeds': [one.id for one in self.list]}

    # -- internal actions ---------------------------------------------------------------------------------------------

    def act(self, name, parameters, now):
        """Does an internal action. Returns its outcome, and the events of a fetch."""
        denial, events = self.manifest.denial(name), []
        if denial is not None:
            return {'error': denial}, events
        try:
            return {'output': INTERNAL_ACTIONS[name](self, parameters, now, events)}, events
        except (Failure, Refused) as reason:
            return {'error': str(reason)}, events

    def _named(self, parameters):
        only(parameters, ('id',), 'the parameters')
        line(parameters.get('id'), 'id')
        return self._existing(parameters['id'])

    def _existing(self, name):
        one = self.find(name)
        if one is None:
            raise Failure('there is no feed %s' % name)
        return one

    def _granted(self, given):
        """A feed that reaches no server but those of the manifest."""
        url = given['source'].get('url')
        if url is not None and url not in self.manifest.urls:
            raise Refused('no feed of the manifest has the URL %s' % url)
        return given

    def _add(self, parameters, now, events):
        given = self._granted(feed(parameters))
        if self.find(given['id']) is not None:
            raise Failure('another feed has the id %s' % given['id'])
        self.list.append(Feed(given))
        return {'added': given['id']}

    def _update(self, parameters, now, events):
        line(parameters.get('id'), 'id')
        one = self._existing(parameters['id'])
        changed = self._granted(feed(merged(one.given, parameters)))
        if changed['source'] != one.given['source']:
            one.__init__(changed)
        one.given = changed
        return {'updated': one.id}

    def _remove(self, parameters, now, events):
        one = self._named(parameters)
        self.list.remove(one)
        return {'removed': one.id}

    def _list(self, parameters, now, events):
        only(parameters, (), 'the parameters')
        return [{**one.given, 'source': {key: value for key, value in one.given['source'].items()
                                         if key not in ('params', 'url')}} for one in self.list]

    def _clear(self, parameters, now, events):
        only(parameters, (), 'the parameters')
        count, self.list = len(self.list), []
        return {'removed': count}

    def _get(self, parameters, now, events):
        one = self._named(parameters)
        if not one.given['enabled']:
            raise Failure('the feed %s is not enabled' % one.id)
        if not one.fresh(now):
            events += self._fetch([one], now)
            if one.failed:
                raise Failure('the feed %s has no new value' % one.id)
        return self.value_of(one.id)[1]

    def _set(self, parameters, now, events):
        only(parameters, ('name', 'value'), 'the parameters')
        if 'value' not in parameters:
            raise Refused('expected a value')
        self.variables[variable(parameters)] = parameters['value']
        return parameters['value']

    def _delete(self, parameters, now, events):
        only(parameters, ('name',), 'the parameters')
        name = variable(parameters)
        if name not in self.variables:
            raise Failure('there is no variable %s' % name)
        del self.variables[name]
        return {'deleted': name}


INTERNAL_SOURCES = {'system_clock': Feeds._clock, 'random': Feeds._random, 'env': Feeds._env,
                    'debug_context': Feeds._debug_context}
INTERNAL_ACTIONS = {
    'add_context_feed': Feeds._add, 'update_context_feed': Feeds._update, 'remove_context_feed': Feeds._remove,
    'list_context_feeds': Feeds._list, 'clear_context_feeds': Feeds._clear, 'get_context_feed': Feeds._get,
    'set_variable': Feeds._set, 'delete_variable': Feeds._delete}


def merged(old, changes):
    """A feed with changed members. null removes one; a source that is another one takes no params of the old."""
    new = {**old, **changes}
    if isinstance(changes.get('source'), dict):
        before, now = old['source'], without_null({**old['source'], **changes['source']})
        if now.get('type') != before['type']:
            # What the new type has no use for goes, unless the change brings it.
            kind = now.get('type')
            uses = ('type', 'action') if kind == 'internal' else ('type', 'name') + ('url',) * (kind == 'remote')
            now = {key: value for key, value in now.items() if key in uses or key in changes['source']}
        same = all(now.get(key) == before.get(key) for key in ('type', 'action', 'name', 'url'))
        params = changes['source'].get('params', {})
        if isinstance(params, dict):
            kept = {**(before['params'] if same else {}), **params}
            now['params'] = {key: value for key, value in kept.items() if value is not None or key not in params}
        new['source'] = now
    return new


def variable(parameters):
    name = parameters.get('name')
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > 255:
        raise Refused('expected name to be letters, digits and _, and to begin with no digit')
    return name
