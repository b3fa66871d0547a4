/** Questions to the ledger. `onLedgerResult` receives the results. */
import type { Question } from './state.ts';
import type { Outputs } from './step-outputs.ts';

/** Asks the ledger. */
export function queryLedger(out: Outputs, question: Question): undefined {
  const id = `ledger:${++out.state.serial}`;
  out.state.questions.set(id, question);
  if (question.about === 'stats') out.effect(id, { ledger: 'stats' });
  else {
    const { thread_id } = question.about === 'budget' ? question.call : question;
    out.effect(id, { ledger: 'thread', thread_id });
  }
}
