"""What carries TOON frames for toon_subagent.py: stdin and stdout, TCP, and a WebSocket client (RFC 6455).

`dial` gives a link: `send` takes one frame, and `receive` gives those that came since, or None when it is over.
"""
import asyncio, os, re, sys
from base64 import b64encode
from hashlib import sha1
from urllib.parse import urlsplit
from toon_wire import HEADER, MAX_PAYLOAD, Cutter

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10  # RFC 6455, 5.2
MAX_MESSAGE = HEADER.size + MAX_PAYLOAD

class Stream:
    """Bare frames, one after the other, in chunks of any size (TOON-38)."""
    def __init__(self, reader, writer): self.reader, self.writer, self.cutter = reader, writer, Cutter()
    def send(self, frame): self.writer.write(frame)
    async def receive(self):
        chunk = await self.reader.read(1 << 16)
        return self.cutter.push(chunk) if chunk else None
    async def close(self):
        self.writer.close()
        try: await asyncio.wait_for(self.writer.wait_closed(), 5)
        except (OSError, asyncio.TimeoutError): pass  # it was gone before

class WebSocket(Stream):
    """One binary message is one frame."""
    def __init__(self, reader, writer):
        super().__init__(reader, writer)
        self.message = bytearray()  # the fragments that have come of one (5.4)
    async def greet(self, url):
        """The opening handshake (4.1)."""
        key = b64encode(os.urandom(16)).decode()
        target = (url.path or '/') + (f'?{url.query}' if url.query else '')
        self.writer.write(
            f'GET {target} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n'.encode())
        answer = (await self.reader.readuntil(b'\r\n\r\n')).decode('latin-1')
        accept = b64encode(sha1(f'{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11'.encode()).digest()).decode()
        accepts = rf'(?m)^(?i:sec-websocket-accept):[ \t]*{re.escape(accept)}\s*$'
        if not answer.startswith('HTTP/1.1 101') or not re.search(accepts, answer):
            raise ConnectionError(f'no WebSocket there: {answer.splitlines()[0]!r}')
        return self
    def send(self, frame): self.write(BINARY, frame)
    def write(self, opcode, data):
        """One whole message, masked as all that a client sends (5.3)."""
        size, mask = len(data), os.urandom(4)
        length = bytes([0x80 | size]) if size < 126 else (
            b'\xfe' + size.to_bytes(2, 'big') if size < 1 << 16 else b'\xff' + size.to_bytes(8, 'big'))
        pattern = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(data, 'big') ^ int.from_bytes(pattern, 'big')  # all bytes at once
        self.writer.write(bytes([0x80 | opcode]) + length + mask + masked.to_bytes(size, 'big'))
    async def receive(self):
        first, length = await self.reader.readexactly(2)
        final, opcode = first & 0x80, first & 0x7F  # reserved bits (5.2) make the opcode an unknown one
        if length > 127: raise ConnectionError('a server masks nothing (5.1)')
        if length > 125:
            length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), 'big')
        if len(self.message) + length > MAX_MESSAGE: raise ConnectionError(f'more than {MAX_MESSAGE} bytes')
        data = await self.reader.readexactly(length)
        if opcode in (CONTINUATION, TEXT, BINARY):  # text is no TOON: decode will say so
            self.message += data
            if not final: return []
            message, self.message = bytes(self.message), bytearray()
            return [message]
        if opcode == PING: self.write(PONG, data)
        elif opcode != PONG: return None  # CLOSE, which `close` answers, or what no server sends
        return []  # control frames may come between fragments (5.5)
    async def close(self):
        self.write(CLOSE, (1000).to_bytes(2, 'big'))
        await super().close()

async def dial(address):
    """The link to an address, or over stdin and stdout without one. Raises OSError when nobody answers."""
    if address is None:
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())  # only for its drain and wait_closed
        transport, _ = await loop.connect_write_pipe(lambda: protocol, sys.stdout)
        return Stream(reader, asyncio.StreamWriter(transport, protocol, None, loop))
    url = urlsplit(address if '://' in address else f'tcp://{address}')
    streams = await asyncio.open_connection(url.hostname, url.port or 80)
    return Stream(*streams) if url.scheme == 'tcp' else await WebSocket(*streams).greet(url)
