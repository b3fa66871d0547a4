/** The Python agent is conformant, judged by the built command as a stranger would judge it. */
import { describe, expect, it } from 'vitest';
import { checked } from '../command.test-helper.ts';
import { example, pythonFor } from './python.test-helper.ts';

// The system's Python may have these packages where another is first in PATH.
const { path, why } = pythonFor('import grpc.aio, google.protobuf', 'python3-grpcio python3-protobuf');

describe('fold_agent.py', () => {
  it('is conformant, with at least 50 of 56 rows exercised', async (context) => {
    if (path === undefined) return context.skip(why);
    const args = ['fold/agent', '--timeout', 'handshake=30s'];
    const { report, failed, stderr } = await checked(args, [path, example('fold_agent.py'), '{address}']);
    expect({ verdict: report?.verdict, failed, stderr }).toMatchObject({ verdict: 'conformant', failed: [] });
    expect(report?.scope.must.exercised).toBe(report?.scope.must.applicable);
    expect(report?.counts.pass).toBeGreaterThanOrEqual(50);
  });
});
