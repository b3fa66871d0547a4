/** `wireproof simulate fold/agent --scenario`: the agents and the operator of a gateway's scenario. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch, simulated, wireproof } from '../run.test-helper.ts';

it("plays the agents and the operator of a gateway's scenario, and judges the gateway", async () => {
  const { gateway, port, http } = await simulated([]);
  const at = ['--connect', `127.0.0.1:${port}`, '--operator', `http://127.0.0.1:${http}`];
  const seen = join(scratch, 'burst.jsonl');
  const played = await wireproof([
    ...['simulate', 'fold/agent', ...at, '--scenario', 'gateway-burst', '--quiet', '--record', seen],
  ]);
  expect(played.stderr).toContain('gateway-burst: played to its end; 0 violations of a MUST');
  expect(played.code).toBe(0);
  const judged = await wireproof(['judge', seen, '--only', 'FOLD-G20']);
  expect([judged.code, judged.stdout]).toEqual([0, expect.stringContaining('1 of 1 applicable MUSTs')]);
  gateway.child.kill('SIGINT');
  await gateway.ended;
  const refused = await wireproof(['simulate', 'fold/agent', '--scenario', 'gateway-agent-cut']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cuts connections')]);
  const alone = await wireproof(['simulate', 'fold/agent', ...at, '--scenario', 'gateway-burst']);
  expect([alone.code, alone.stdout]).toEqual([3, '']);
  expect(alone.stderr).toContain('nothing listened on');
});
