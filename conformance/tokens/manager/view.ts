/**
 * What all rules of token managers look at: the test that is being put, what the testee can do, and how it ended. It is
 * the view of TOON's codecs, who are asked in the same way.
 */
import { judgedBy as asTesteesAre } from '../../toon/codec/view.ts';
import type { CodecView } from '../../toon/codec/view.ts';

/** Everything before the event at hand. */
export type ManagerView = CodecView;

/** All that rules look at and listen by, as a judge takes it. */
export const judgedBy: typeof asTesteesAre = asTesteesAre;
