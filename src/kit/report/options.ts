import type { TraceEvent } from '../base/index.ts';

/** A trace of the run, for the formats that show events. */
export interface ReportTrace {
  /** The name in the evidence of the report. */
  readonly name: string;
  readonly scenarios: readonly string[];
  readonly events: readonly TraceEvent[];
  /** By requirement: how often the trace exercised it, and the position of the first time. */
  readonly found?:
    ReadonlyMap<string, { readonly exercised: number; readonly first?: number | undefined }> | undefined;
}

/** Options of the report formats; each format uses its own. */
export interface ReportOptions {
  /** Colour the console report with SGR codes. The caller knows the terminal, NO_COLOR and CI. */
  readonly color: boolean;
  /** Give every requirement and every scenario a line in the console report. */
  readonly verbose?: boolean | undefined;
  /**
   * Columns to wrap the console report at, never below 40. Absent: no terminal. Then sentences wrap at 100, and the lines
   * that programs read (the headline, the verdict, rows, output) stay whole.
   */
  readonly width?: number | undefined;
  /** The time of the end of the run for formats that give one (Unix ms). */
  readonly now?: number | undefined;
  /** The traces of the run. The html report has diagrams of them; absent: it has verdicts only. */
  readonly traces?: readonly ReportTrace[] | undefined;
  /** The traces that the html report shows; default: `failed`, those with evidence of a failure. */
  readonly diagrams?: 'none' | 'failed' | 'all' | undefined;
  /** Show the traces of this scenario in the html report, whatever `diagrams` says. */
  readonly scenario?: string | undefined;
  /** Traces that the report names and that could not be read, with the reason. */
  readonly missing?: readonly { readonly name: string; readonly reason: string }[] | undefined;
}
