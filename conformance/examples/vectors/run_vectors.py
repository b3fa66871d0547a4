"""Runs a folder of golden vectors against your library: python3 run_vectors.py FOLDER COMMAND [ARGUMENT...]

COMMAND is a program that answers operations on stdin and stdout, one JSON object a line (a testee). To test a library in
this process, replace `answer`. Exit code: 0 all passed, 1 a test failed or a file is not the manifest's, 2 wrong usage.
Needs Python 3.8 or later, and nothing else.
"""
import hashlib, json, math, subprocess, sys
from collections import Counter
from pathlib import Path

# Operations whose `expect` has members of the answer, and how they compare: equal; partly: objects may have more members
# than expected; as-json: texts are equal as JSON. The facts of other operations are for `wireproof check`.
COMPARE = {
    'fold.decode': 'equal', 'koda.decode': 'as-json', 'koda.encode': 'as-json', 'toon.decode': 'partly',
    'toon.validate': 'equal', 'toon.rle.decode': 'equal', 'toon.rle.encode': 'equal', 'toon.stream': 'partly',
}
COLUMNS = {'id', 'comment', 'flags', 'requirements', 'result', 'expect', 'error'}

class Unsupported(Exception):
    """Your library does not have the operation."""

def start(command):
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def answer(testee, op, test):
    """The answer of your library to a test: an object, or None when it refuses the input."""
    request = {key: value for key, value in test.items() if key not in COLUMNS}
    testee.stdin.write(json.dumps({**request, 'id': test['id'], 'op': op}).encode() + b'\n')
    testee.stdin.flush()
    line = testee.stdout.readline()
    if not line: sys.exit(f'{test["id"]}: the program ended without an answer')
    came = json.loads(line)
    if came.get('unsupported'): raise Unsupported
    return came.get('ok')

def same(how, expected, came, depth=0):
    if how == 'as-json' and isinstance(expected, str) and isinstance(came, str) and depth == 0:
        return same('equal', json.loads(expected), json.loads(came))
    if isinstance(expected, dict) and isinstance(came, dict):
        keys = expected if how == 'partly' else {*expected, *came}
        return all(key in came and key in expected and same(how, expected[key], came[key], depth + 1)
                   for key in keys)
    if isinstance(expected, list) and isinstance(came, list):
        return len(expected) == len(came) and all(same(how, e, c, depth + 1) for e, c in zip(expected, came))
    if isinstance(expected, bool) or isinstance(came, bool): return expected is came
    if isinstance(expected, float) or isinstance(came, float):  # 2 ULP, as spec/koda/vectors.schema.json allows
        return isinstance(came, (int, float)) and math.isclose(float(expected), float(came), rel_tol=4.5e-16)
    return expected == came

def failure(op, test, came):
    """What is wrong with an answer: (expected, came); None when it is right."""
    result, expect = test['result'], test.get('expect', {})
    refused = came is None or (op.endswith('.validate') and came.get('valid') is False)
    if refused:
        return None if result != 'valid' or expect.get('valid') is False else (expect or 'ok', 'a refusal')
    if result == 'invalid': return ('a refusal', came)
    wrong = [key for key in expect if not same(COMPARE[op], expect[key], came.get(key))]
    return ({key: expect[key] for key in wrong}, {key: came.get(key) for key in wrong}) if wrong else None

def tests_of(folder):
    """Every (op, test) of a folder, after a look at the manifest."""
    manifest = json.loads((folder / 'manifest.json').read_bytes())
    for name, listed in sorted(manifest['files'].items()):
        data = (folder / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != listed['sha256']:
            sys.exit(f'{name}: its SHA-256 is not that of manifest.json')
        for group in json.loads(data)['groups']:
            yield from ((group['op'], test) for test in group['tests'])

def main():
    if len(sys.argv) < 3:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    all_tests, passed, failed, skipped = list(tests_of(Path(sys.argv[1]))), 0, 0, Counter()
    testee = start(sys.argv[2:])
    for op, test in all_tests:
        if op not in COMPARE or {'without', 'digits'} & {*test.get('expect', {})}:
            skipped[f'{op}: wireproof check judges them by facts'] += 1
            continue
        try: wrong = failure(op, test, answer(testee, op, test))
        except Unsupported:
            skipped[f'{op}: unsupported'] += 1
            continue
        if wrong is None: passed += 1; continue
        failed += 1
        expected, came = (json.dumps(part)[:500] for part in wrong)
        print(f'{test["id"]}: {test["comment"]}\n  expected {expected}\n  came     {came}')
    testee.stdin.close()
    testee.wait()
    for why, count in sorted(skipped.items()): print(f'skipped {count} tests of {why}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed > 0 or passed == 0 else 0

sys.exit(main())
