/** `wireproof testee`: the reference implementation itself answers on stdin and stdout. */
import { WireproofError } from '../src/kit/base/index.ts';
import { lineFraming } from '../src/kit/testee/index.ts';
import { Wires, byteWire, dialHttp } from '../src/kit/transport/index.ts';
import { framed, realClock } from '../src/kit/world/index.ts';
import { loadSuite, testees } from '../conformance/index.ts';

/** Most bytes of a message that a testee takes of what it dials. */
const maxReceive = 32 << 20;

/** Runs the verb: until stdin ends. */
export async function testee(suite: string): Promise<void> {
  if (!testees.includes(suite))
    throw new WireproofError(
      'usage',
      `testee ${suite}: there are ${testees.join(', ')} (wireproof list suites shows all suites)`,
    );
  const { reference } = await loadSuite(suite);
  if (process.stdin.isTTY)
    process.stderr.write('one JSON object a line, such as {"id":1,"op":"hello"}; Ctrl-D ends\n');
  await new Promise<void>((resolve) => {
    const peer = reference()({
      clock: realClock(),
      dial: dialHttp({ maxReceive, prefix: 'h' }),
      tap: ({ stream, incoming, kind }) => {
        if (stream === 's1' && incoming && (kind === 'end' || kind === 'reset')) resolve();
      },
    });
    peer.begin();
    const { stdin: readable, stdout: writable } = process;
    new Wires('stdio', framed(peer.accept, lineFraming)).add(byteWire({ readable, writable }));
  });
}
