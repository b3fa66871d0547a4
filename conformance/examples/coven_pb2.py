"""What protoc would make of coven.proto, made as the example starts, so that it needs no compiler.

Yours comes from protoc under the same name, and the agent does not change:
python3 -m grpc_tools.protoc -I spec/fold --python_out=. coven.proto
"""
import re
from pathlib import Path

from google.protobuf import descriptor_pb2, message_factory

PROTO = Path(__file__).resolve().parent / '../../spec/fold/coven.proto'
BLOCK = re.compile(r'^(message|enum) (\w+) \{(\}|.*?^\})', re.S | re.M)
LINE = re.compile(r'oneof (\w+) \{|(repeated |optional |)\b(map<string, string>|\w+) (\w+) = (\d+);|\}')
VALUE = re.compile(r'(\w+) = (\d+);')
SCALARS = {'int64': 3, 'int32': 5, 'bool': 8, 'string': 9, 'bytes': 12}


def messages(text):
    """Reads what coven.proto uses of the language."""
    file = descriptor_pb2.FileDescriptorProto(name='coven.proto', package='coven', syntax='proto3')
    for kind, name, body in BLOCK.findall(re.sub('//.*', '', text)):
        if kind == 'enum':
            values = [{'name': value, 'number': int(number)} for value, number in VALUE.findall(body)]
            file.enum_type.add(name=name, value=values)
            continue
        message, oneof = file.message_type.add(name=name), {}
        for opened, label, kind, field, number in LINE.findall(body):
            if kind.startswith('map'):  # a repeated message of its entries
                label, kind = 'repeated ', f'{name}.{field.title()}Entry'
                entry = message.nested_type.add(name=f'{field.title()}Entry', options={'map_entry': True})
                for i, part in enumerate(['key', 'value']):
                    entry.field.add(name=part, number=i + 1, type=SCALARS['string'], label=1)
            its = {'type': SCALARS[kind]} if kind in SCALARS else {'type_name': f'.coven.{kind}'}
            its['label'] = 3 if label == 'repeated ' else 1
            index = {'oneof_index': len(message.oneof_decl)}
            if opened or not field:
                oneof = index if opened else {}
            elif label == 'optional ':  # a oneof of its own
                message.field.add(name=field, number=int(number), **its, **index, proto3_optional=True)
            else:
                message.field.add(name=field, number=int(number), **its, **oneof)
            if opened or label == 'optional ':
                message.oneof_decl.add(name=opened or f'_{field}')
    return message_factory.GetMessages([file])


globals().update({name.split('.')[1]: made for name, made in messages(PROTO.read_text(encoding='utf-8')).items()})
