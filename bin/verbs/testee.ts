/** `wireproof testee`: runs the reference implementation as a testee on stdin and stdout. */
import { WireproofError } from '../../src/kit/base/index.ts';
import { lineFraming } from '../../src/kit/testee/index.ts';
import { Connections, byteWire, dialHttp } from '../../src/kit/transport/index.ts';
import { framed, realClock } from '../../src/kit/world/index.ts';
import { registry } from '../registry.ts';

/** The largest message that a testee receives from a server that it dials (bytes). */
const maxReceive = 32 << 20;

/** Runs the verb, until stdin ends. */
export async function testee(id: string): Promise<void> {
  if (!registry.testees.includes(id))
    throw new WireproofError(
      'usage',
      `testee ${id}: the testees are ${registry.testees.join(', ')} (wireproof list suites shows all suites)`,
    );
  const { reference } = await registry.loadSuite(id);
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
    new Connections('stdio', framed(peer.accept, lineFraming)).add(byteWire({ readable, writable }));
  });
}
