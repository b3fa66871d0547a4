"""A decoder of Fold's messages that answers `fold.decode`, the operation of fixtures/fold/vectors, on stdin and stdout.

It decodes with Google's protobuf: put your own library in its place. Needs Python 3.8 or later, and `protobuf` (Debian:
python3-protobuf). Usage: python3 vectors/run_vectors.py FOLDER python3 fold_testee.py
"""
import json, sys

sys.dont_write_bytecode = True  # no __pycache__ among the examples
import coven_pb2
from google.protobuf import json_format
from google.protobuf.message import DecodeError

def decode(request):
    message = getattr(coven_pb2, request['type'].split('.')[1]).FromString(bytes.fromhex(request['hex']))
    return {'json': json_format.MessageToDict(message, preserving_proto_field_name=True)}

OPS = {
    'hello': lambda _: {'name': 'fold_testee.py', 'version': '1', 'ops': list(OPS)},
    'fold.decode': decode,
}

for line in sys.stdin:
    request = json.loads(line)
    answer = {'id': request.get('id')}
    try:
        if request.get('op') in OPS: answer['ok'] = OPS[request['op']](request)
        else: answer['unsupported'] = True
    except (DecodeError, UnicodeDecodeError, ValueError) as error:
        answer['error'] = {'code': 'undecodable', 'message': str(error)}
    print(json.dumps(answer), flush=True)
