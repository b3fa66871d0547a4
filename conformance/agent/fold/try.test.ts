import { it } from 'vitest';
import { scenariosOf, simulate } from '../../../src/kit/suite/index.ts';
import { agentFoldSuite } from './suite.ts';
it('try', () => {
  for (const dialect of (process.env['DIALECTS'] ?? 'anthropic').split(','))
    for (const scenario of scenariosOf(agentFoldSuite)) {
      if (!scenario.name.includes(process.env['ONLY'] ?? '')) continue;
      try {
        const run = simulate({
          suite: agentFoldSuite,
          scenario,
          target: agentFoldSuite.reference({ ...scenario.reference, dialect }),
          seed: '1',
        });
        const ex = [...run.found].filter(([, f]) => f.exercised > 0).map(([id]) => id);
        const bad = [...run.found].flatMap(([id, f]) => f.violations.map((v) => `${id} ${v.message}`));
        const missing = scenario.exercises.filter((id) => !ex.includes(id));
        console.log(
          dialect,
          scenario.name,
          run.played.outcome,
          run.played.reason ?? '',
          'MISSING',
          missing.join(),
          'BAD',
          bad.join(' | '),
          run.events.length,
        );
        if (process.env['SHOW'])
          for (const e of run.events)
            console.log(
              e.seq,
              Math.round(e.at),
              e.wire,
              e.from,
              '>',
              e.to,
              e.kind,
              e.stream,
              JSON.stringify(e.data).slice(0, 200),
            );
      } catch (e) {
        console.log(scenario.name, 'THROWS', (e as Error).stack?.slice(0, 600));
      }
    }
});
