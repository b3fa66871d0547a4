#!/usr/bin/env python3
"""A testee of SEP, the Streaming Execution Protocol: one request a line on stdin, one answer a line on stdout.

Python 3.8 or newer, standard library only, and PyYAML for manifests (Debian: python3-yaml). Check it with:

    npx wireproof check sep/parser -- python3 sep_testee.py
    npx wireproof check sep/executor -- python3 sep_testee.py
    npx wireproof check sep/executor -- python3 sep_testee.py --without manifests,internal_actions
"""
import argparse
import codecs
import datetime
import importlib.util
import json
import sys

import sep_manifest
from sep_executor import Run
from sep_feeds import Feeds
from sep_parser import Parser, is_texts

HELLO = {
    'name': 'sep_testee.py',
    'version': '1.0.0',
    'ops': ['sep.parse', 'sep.run'],
    'virtual_time': True,
    'features': ['thought_actions', 'non_final_responses', 'feeds', 'response_ends', 'diagnostics', 'variables',
                 'dependencies', 'timeouts', 'retries', 'transcripts', 'manifests', 'internal_actions',
                 'internal_sources'],
}


def withdraw(features):
    """Claims fewer features. What needs them is not checked then."""
    HELLO['features'] = [one for one in HELLO['features'] if one not in features]


def pieces_of(request):
    """The pieces of the output as text. Bytes may be cut inside of a character."""
    chunks, pieces = request.get('chunks'), request.get('bytes')
    if is_texts(chunks):
        return chunks
    if not is_texts(pieces):
        raise ValueError('expected chunks or bytes as a list of texts')
    decoder = codecs.getincrementaldecoder('utf-8')('replace')
    return [decoder.decode(bytes.fromhex(one)) for one in pieces] + [decoder.decode(b'', True)]


def parse(request):
    parser, events = Parser(), []
    for piece in pieces_of(request):
        events += parser.feed(piece)
    return {'events': events + parser.end()}


def run(request):
    iterations = request.get('iterations')
    if not isinstance(iterations, list) or not all(is_texts(chunks) for chunks in iterations):
        raise ValueError('expected iterations as a list of lists of texts')
    return Run(iterations, request.get('providers'), request.get('variables'), feeds_of(request)).play()


def feeds_of(request):
    """The feeds of a run. Without a manifest there are none, and the model may use every internal action."""
    manifest, env = None, request.get('env', {})
    if 'manifest' in request:
        if 'manifests' not in HELLO['features']:
            raise ValueError('this testee reads no manifests here: they need PyYAML, and no --without manifests')
        manifest = sep_manifest.read(request['manifest'], env)
    # Python reads Z as the zone from 3.11 on.
    began = datetime.datetime.fromisoformat(request.get('now', '1970-01-01T00:00:00Z').replace('Z', '+00:00'))
    return Feeds(manifest, request.get('feeds'), env, began, request.get('feed_errors'))


OPERATIONS = {'hello': lambda request: HELLO, 'sep.parse': parse, 'sep.run': run}


def answer(line):
    request_id = None
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise ValueError('expected a JSON object')
        request_id = request.get('id')
        operation = OPERATIONS.get(request.get('op'))
        if operation is None:
            return {'id': request_id, 'unsupported': True}
        return {'id': request_id, 'ok': operation(request)}
    except Exception as error:  # a testee answers every line
        return {'id': request_id, 'error': {'code': 'bad-input', 'message': str(error)}}


if __name__ == '__main__':
    if importlib.util.find_spec('yaml') is None:
        withdraw(['manifests'])
    options = argparse.ArgumentParser(description='A testee of SEP on stdin and stdout.')
    options.add_argument('--without', default='', metavar='FEATURES', help='claim all features but these: a,b')
    withdraw(options.parse_args().without.split(','))
    sys.stdin.reconfigure(encoding='utf-8')
    sys.stdout.reconfigure(encoding='utf-8')
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(line)), flush=True)
