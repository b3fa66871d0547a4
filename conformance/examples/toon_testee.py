"""A TOON (Task Orchestration Over Node) codec for the suite toon/codec: copy it, and call your own library in OPS.

One JSON request a line on stdin, one answer a line on stdout, under the same id; stderr is free. The ops are listed in
spec/toon/README.md. The codec itself is toon_wire.py, beside this file. Needs Python 3.8 or later, and nothing else.
Usage: wireproof check toon/codec -- python3 toon_testee.py
"""
import re, sys

sys.dont_write_bytecode = True  # no __pycache__ among the examples
from toon_wire import Cutter, Refused, decode, encode, parse_json, rle_decode, rle_encode, write_json

def unhex(text):
    if not isinstance(text, str) or len(text) % 2 or not re.fullmatch('[0-9a-f]*', text):
        raise Refused('bad-input', 'bytes are written as pairs of lowercase hexadecimal digits')
    return bytes.fromhex(text)

def integer(text):
    """64 bits come as decimal digits in a string, since JSON numbers are exact only up to 2^53 in many languages."""
    if not isinstance(text, str) or not re.fullmatch('[0-9]{1,20}', text):
        raise Refused('bad-input', f'not a decimal string: {text!r}')
    return int(text)

def shown(message):
    header = {**message.header._asdict(), 'timestamp': str(message.header.timestamp)}
    return {'header': header, 'payload': message.payload}

def to_wire(request):
    compress = request.get('compress', True)
    if not isinstance(compress, bool): raise Refused('bad-input', 'compress is true or false')
    message = request['type'], request['payload'], request['sequenceId'], integer(request['timestamp'])
    return {'wire': encode(*message, compress).hex()}

def from_wire(request):
    message = decode(unhex(request['wire']))
    return {**shown(message), 'trailing': message.trailing}

def is_valid(wire):
    try: return decode(wire) is not None
    except Refused: return False

def stream(chunks):
    """What a connection would bring, chunk by chunk."""
    cutter, messages, skipped = Cutter(), [], 0
    for chunk in chunks:
        for frame in cutter.push(unhex(chunk)):
            try: messages.append(shown(decode(frame)))
            except Refused: skipped += 1
    return {'messages': messages, 'skipped': skipped, 'pending': len(cutter.buffer)}

OPS = {
    'hello': lambda _: {'name': 'toon_testee.py', 'version': '1', 'ops': list(OPS), 'codes': True},
    'toon.encode': to_wire,
    'toon.decode': from_wire,
    'toon.validate': lambda request: {'valid': is_valid(unhex(request['wire']))},
    'toon.rle.encode': lambda request: {'bytes': rle_encode(unhex(request['bytes'])).hex()},
    'toon.rle.decode': lambda request: {'bytes': rle_decode(unhex(request['bytes'])).hex()},
    'toon.stream': lambda request: stream(request['chunks']),
}

def answer(line):
    """One answer for one line, whatever is in it."""
    id = None
    try:
        request = parse_json(line)
        id = request.get('id')
        if request.get('op') not in [*OPS]: return write_json({'id': id, 'unsupported': True})
        return write_json({'id': id, 'ok': OPS[request['op']](request)})
    except Refused as refused:
        # A line that cannot be read is a bad request; its own codes are for messages.
        code, message = refused.code if id is not None else 'bad-input', str(refused)
    except RecursionError:
        code, message = 'bad-json', 'nested too deeply'
    except Exception as error:  # a field that is not there, or of another type
        code, message = 'bad-input', repr(error)
    return write_json({'id': id, 'error': {'code': code, 'message': message}})

for line in sys.stdin.buffer:
    sys.stdout.buffer.write(answer(line) + b'\n')
    sys.stdout.buffer.flush()
