"""TOON (Task Orchestration Over Node), version 1, as bytes: what toon_testee.py and toon_subagent.py share.

This is not Token-Oriented Object Notation, which has the same short name. spec/toon/README.md has the protocol on a
page; TOON-nn below is a row of spec/toon/requirements.yaml. Needs Python 3.8 or later, and nothing else.
"""
import json, math, re, struct, time
from collections import namedtuple

HEADER = struct.Struct('<BBIQI')  # '<' packs: 18 bytes, little-endian (TOON-01)
Header = namedtuple('Header', 'version type payloadLength timestamp sequenceId')
Message = namedtuple('Message', 'header type payload trailing')  # type by name; trailing bytes are counted (TOON-44)
VERSION = 1
TYPES = ['INSTRUCTION', 'TOOL_CALL', 'TOOL_RESULT', 'STATUS', 'ERROR', 'HEARTBEAT',
         'CONTEXT_REQUEST', 'CONTEXT_RESPONSE']  # numbered from 1
REQUIRED = {  # the fields without which a payload is refused (TOON-35); all others are free (TOON-37)
    'INSTRUCTION': {'instruction': str}, 'TOOL_CALL': {'toolName': str, 'args': dict},
    'TOOL_RESULT': {'success': bool}, 'STATUS': {'status': str}, 'ERROR': {'message': str},
}
MAX_PAYLOAD = 16 << 20  # bytes, on the wire and expanded (TOON-26)
THRESHOLD = 1024  # bytes; what is no longer than this is never compressed (TOON-14)
MAGIC = b'\x5a'  # begins what is compressed (TOON-16); no JSON begins so
RUN = re.compile(rb'\xff{1,255}|(.)\1{3,254}', re.S)  # what is written as a triple (TOON-19, 20, 21)
PART = re.compile(rb'[^\xff]+|\xff(.?)(.?)', re.S)  # literal bytes, or the byte and the count of a triple

class Refused(ValueError):
    """Bytes that are no message, or values that no message can hold. `code` is one of spec/toon/README.md's."""
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code

def rle_encode(data):
    return RUN.sub(lambda run: bytes([0xFF, run[0][0], len(run[0])]), data)

def rle_decode(data):
    expanded = bytearray()
    for part in PART.finditer(data):
        byte, count = part.groups()
        if byte is None:
            piece, times = part[0], 1
        elif count in (b'', b'\0'):  # cut off (TOON-24), or a count that nobody may write (TOON-46)
            raise Refused('bad-rle', f'the triple at byte {part.start()} has {"count 0" if count else "no count"}')
        else:
            piece, times = byte, count[0]
        if len(expanded) + len(piece) * times > MAX_PAYLOAD:
            raise Refused('too-large', f'the payload expands to more than {MAX_PAYLOAD} bytes')
        expanded += piece * times
    return bytes(expanded)

def parse_json(data):
    """Strict JSON (TOON-11) in strict UTF-8 (TOON-10); a byte order mark is forgiven (TOON-12)."""
    def number(text):  # Python would take NaN, Infinity, and 1e999 for one of them
        value = float(text)
        if not math.isfinite(value): raise ValueError(f'{text} is no number that JSON can hold')
        return value
    try:
        return json.loads(data.decode('utf-8-sig'), parse_constant=number, parse_float=number)
    except UnicodeDecodeError as error:
        raise Refused('bad-utf8', str(error))
    except (ValueError, RecursionError) as error:
        raise Refused('bad-json', str(error))

def write_json(value):
    """Compact JSON in UTF-8. A lone surrogate has no UTF-8: its backslash form is just JSON's."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(',', ':'))
    return text.encode('utf-8', 'backslashreplace')

def check_payload(type, payload, code):
    if not isinstance(payload, dict):
        raise Refused(code, f'the payload of {type} is no JSON object')  # TOON-45
    for field, kind in REQUIRED.get(type, {}).items():
        if not isinstance(payload.get(field), kind):
            raise Refused(code, f'{type} needs {field!r} ({kind.__name__})')

def encode(type, payload, sequence_id, timestamp=None, compress=True):
    """One message. `timestamp` is in Unix milliseconds, by default now. Nothing is rounded or wrapped (TOON-28, 32)."""
    timestamp = time.time_ns() // 1_000_000 if timestamp is None else timestamp
    if type not in TYPES: raise Refused('bad-input', f'no type has the name {type!r}')
    for name, value, bits in (('sequenceId', sequence_id, 32), ('timestamp', timestamp, 64)):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << bits:
            raise Refused('bad-input', f'{name} is an integer of {bits} bits without a sign, not {value!r}')
    check_payload(type, payload, 'bad-input')
    body = write_json(payload)
    if len(body) > MAX_PAYLOAD: raise Refused('bad-input', f'the payload has more than {MAX_PAYLOAD} bytes')
    if compress and len(body) > THRESHOLD:
        body = min(body, MAGIC + rle_encode(body), key=len)  # of equals the first: it must be shorter (TOON-15)
    return HEADER.pack(VERSION, TYPES.index(type) + 1, len(body), timestamp, sequence_id) + body  # TOON-02, 03

def decode(data):
    """The message at the start of `data`, validated here and nowhere else (TOON-08); raises Refused."""
    hint = ' (it starts with 0x7B: bare JSON, without the 18-byte header?)' if data[:1] == b'{' else ''  # TOON-43
    if len(data) < HEADER.size: raise Refused('too-short', f'{len(data)} bytes are less than a header{hint}')  # TOON-04
    header = Header._make(HEADER.unpack_from(data))
    if header.version != VERSION: raise Refused('bad-version', f'version {header.version}, not 1{hint}')  # TOON-06
    if not 1 <= header.type <= len(TYPES): raise Refused('bad-type', f'type {header.type}, not 1 to 8')  # TOON-07
    if header.payloadLength > MAX_PAYLOAD:
        raise Refused('too-large', f'a payload of {header.payloadLength} bytes; the limit is {MAX_PAYLOAD}')
    end = HEADER.size + header.payloadLength
    if len(data) < end: raise Refused('truncated', f'{len(data)} of {end} bytes')  # TOON-05
    body = data[HEADER.size:end]
    if body[:1] == MAGIC: body = rle_decode(body[1:])  # once (TOON-25), whatever its size (TOON-17)
    type, payload = TYPES[header.type - 1], parse_json(body)
    check_payload(type, payload, 'bad-payload')
    return Message(header, type, payload, len(data) - end)

class Cutter:
    """Cuts a stream into frames by their declared lengths, however it comes in chunks (TOON-38).

    Frames of another version or type are cut like all others: decode refuses them, which is how they are skipped.
    A length over the limit ends it: its header comes out as the last frame, for decode to say why (TOON-39).
    """
    def __init__(self): self.buffer, self.closed = bytearray(), False
    def push(self, chunk):
        frames = []
        self.buffer += b'' if self.closed else chunk
        while len(self.buffer) >= HEADER.size and not self.closed:
            length = Header._make(HEADER.unpack_from(self.buffer)).payloadLength
            self.closed = length > MAX_PAYLOAD
            end = HEADER.size + (0 if self.closed else length)
            if len(self.buffer) < end: break
            frames.append(bytes(self.buffer[:end]))
            del self.buffer[:end]
        if self.closed: self.buffer.clear()
        return frames
