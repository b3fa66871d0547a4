/** Sessions of the two reference roles as tables: who they are, what is done to the bytes, and what arrives. */
import { directive } from '../directive.ts';
import type { Side } from '../messages.ts';
import type { OrchestratorOptions } from '../orchestrator/orchestrator.ts';
import type { Parties } from './meeting.test-helper.ts';
import type { SubagentOptions } from '../subagent/subagent.ts';

/** One session: who they are, what happens to the bytes, and what crosses. */
export interface Session {
  readonly orchestrator: Partial<OrchestratorOptions>;
  readonly subagent?: Partial<SubagentOptions>;
  readonly tamper?: Parties['tamper'];
  readonly crosses: readonly string[];
  readonly told?: { readonly [S in Side]?: readonly string[] };
}

/** The text of an instruction that tells a subagent to do this. */
export const todo = (...steps: readonly object[]): string => directive(steps);
const hold = { hold: true };
const tools = {
  file_read: { success: true, data: 'export', duration: 12 },
  slow: { success: true, data: 'late', duration: 500 },
};
/** How an instruction ends that all went well with. */
export const completed = '< STATUS completed 1';
const analyzed = ['< STATUS analyzing 0.1', completed];

/** Something that is no message, after a side's n-th. */
const noise =
  (side: Side, after: number, hex: string): NonNullable<Session['tamper']> =>
  (from, n, bytes) =>
    from === side && n === after ? [bytes, Buffer.from(hex, 'hex')] : [bytes];

/** A frame of version 2 and one of type 9: each whole, so that the next one is found. */
const version2 = '0206020000000068e5cf8b010000010000007b7d';
const type9 = '0109020000000068e5cf8b010000010000007b7d';
/** A frame whose payload is no JSON. */
export const notJson = '0106010000000068e5cf8b0100000100000078';

/** Sessions by what happens in them. */
export const sessions: { readonly [name: string]: Session } = {
  'an instruction that calls a tool and asks for context': {
    orchestrator: {
      instructions: [
        todo(
          { status: { status: 'analyzing', progress: 0.45 } },
          { tool: { name: 'file_read', args: { path: 'src/user.ts' } } },
          { context: { type: 'file', path: 'src/config.ts' } },
        ),
      ],
      tools,
      context: { 'src/config.ts': 'port: 1' },
    },
    crosses: [
      '> INSTRUCTION',
      '< STATUS analyzing 0.45',
      '< CALL file_read',
      '> RESULT "export"',
      '< ASK src/config.ts',
      '> CONTEXT "port: 1"',
      completed,
      '> end',
    ],
    told: { orchestrator: ['completed', 'done'], subagent: [] },
  },
  'several tools at once, answered out of order by their ids': {
    orchestrator: {
      instructions: [
        todo({
          tools: [
            { name: 'slow', requestId: 'a' },
            { name: 'file_read', requestId: 'b' },
            { name: 'nothing', requestId: 'c' },
          ],
        }),
      ],
      tools,
    },
    crosses: [
      '> INSTRUCTION',
      '< CALL slow #a',
      '< CALL file_read #b',
      '< CALL nothing #c',
      '> RESULT failed #c',
      '> RESULT "export" #b',
      '> RESULT "late" #a',
      '< STATUS results',
      completed,
      '> end',
    ],
  },
  'a queue of instructions, of which one fails': {
    orchestrator: { instructions: ['one', todo({ fail: { code: 'TOOL_FAILED', message: 'no' } }), 'three'] },
    crosses: [
      '> INSTRUCTION',
      ...analyzed,
      '> INSTRUCTION',
      '< ERROR TOOL_FAILED',
      '> INSTRUCTION',
      ...analyzed,
      '> end',
    ],
    told: { orchestrator: ['completed', 'error', 'failed', 'completed', 'done'] },
  },
  'bad frames from the orchestrator in the midst of work': {
    orchestrator: { instructions: [todo({ tool: { name: 'slow' } })], tools },
    tamper: noise('orchestrator', 0, version2 + type9 + notJson),
    crosses: [
      '> INSTRUCTION',
      '> bad bad-version',
      '> bad bad-type',
      '> bad bad-json',
      '< CALL slow',
      '< ERROR BAD_FRAME',
      '< ERROR BAD_FRAME',
      '< ERROR BAD_FRAME',
      '> RESULT "late"',
      completed,
      '> end',
    ],
    told: { subagent: ['bad-frame', 'bad-frame', 'bad-frame'] },
  },
  'bad frames from the subagent in the midst of work': {
    orchestrator: { instructions: [todo({ say: 'a' }, { wait_ms: 50 })] },
    tamper: noise('subagent', 0, version2 + notJson),
    crosses: [
      '> INSTRUCTION',
      '< STATUS a',
      '< bad bad-version',
      '< bad bad-json',
      '> ERROR BAD_FRAME',
      '> ERROR BAD_FRAME',
      completed,
      '> end',
    ],
    told: { orchestrator: ['bad-frame', 'bad-frame', 'completed', 'done'], subagent: ['error', 'error'] },
  },
  'an instruction that arrives as no message': {
    orchestrator: { instructions: ['lost', 'two'], idle: 2000, heartbeat: 0 },
    subagent: { heartbeat: 600 },
    tamper: (from, n, bytes) => [from === 'orchestrator' && n === 0 ? Buffer.from(notJson, 'hex') : bytes],
    crosses: [
      '> bad bad-json',
      '< ERROR BAD_FRAME',
      ...Array.from({ length: 3 }, () => '< HEARTBEAT'),
      '> INSTRUCTION',
      ...analyzed,
      '> end',
    ],
    told: { orchestrator: ['error', 'failed', 'completed', 'done'] },
  },
  'bytes that come one by one': {
    orchestrator: { instructions: [todo({ tool: { name: 'file_read' } })], tools },
    tamper: (_, __, bytes) => [...bytes].map((byte) => Uint8Array.of(byte)),
    crosses: ['> INSTRUCTION', '< CALL file_read', '> RESULT "export"', completed, '> end'],
  },
  'a payload that is compressed on the way': {
    orchestrator: { instructions: [todo({ pad: { text: 'x', bytes: 4000 } })] },
    crosses: ['> INSTRUCTION', '< STATUS pad', completed, '> end'],
  },
  'a call that is never answered: the heartbeats go on, until an orchestrator that sends none is given up': {
    orchestrator: { instructions: [todo({ tool: { name: 'dead' } })], hold: ['dead'], heartbeat: 0 },
    subagent: { idle: 5000, heartbeat: 2000 },
    crosses: ['> INSTRUCTION', '< CALL dead', '< HEARTBEAT', '< HEARTBEAT', '< end'],
    told: { orchestrator: ['lost'], subagent: ['silent'] },
  },
  'a subagent that is silent': {
    orchestrator: { instructions: [todo(hold)], heartbeat: 4000, idle: 9000 },
    subagent: { heartbeat: 0 },
    crosses: ['> INSTRUCTION', '> HEARTBEAT', '> HEARTBEAT', '> end'],
    told: { orchestrator: ['silent'], subagent: ['dropped'] },
  },
  'a frame over the cap': {
    orchestrator: { instructions: [todo(hold)] },
    tamper: noise('orchestrator', 0, '0101ffffffff68e5cf8b0100000100000000'),
    crosses: ['> INSTRUCTION', '> bad too-large', '< ERROR BAD_FRAME', '< end'],
    told: { subagent: ['bad-frame'], orchestrator: ['error', 'lost'] },
  },
};
