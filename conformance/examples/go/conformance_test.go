// Package conformance has each requirement as a test. What is checked stands in the project's statement (wireproof.yaml).
// Go keeps the results of tests, and does not see that the agent has changed: run it with go test -count=1.
package conformance

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

type requirement struct {
	ID, Level, Text, Verdict, Reason, Message, Replay string
	Expected                                          *struct{ Reason string } `json:"expected_failure"`
	Follows                                           *struct{ ID string }     `json:"follows_from"`
}

func TestConformance(t *testing.T) {
	check := exec.Command("npx", "wireproof", "check", "--report", "json")
	check.Stderr = os.Stderr
	out, exit := check.Output()
	var report struct {
		Verdict      string
		Strict       bool
		Problems     []string
		Requirements []requirement
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("no report: %v", exit)
	}
	for _, row := range report.Requirements {
		row := row
		t.Run(row.ID, func(t *testing.T) {
			failed := row.Verdict == "fail" || row.Verdict == "error"
			known := row.Expected != nil || row.Follows != nil
			// Only with --strict is a violated SHOULD fatal.
			if failed && !known && (row.Level == "MUST" || report.Strict) {
				t.Fatalf("%s %s\n%s\n%s", row.Level, row.Text, row.Message, row.Replay)
			} else if row.Verdict != "pass" {
				t.Skipf("%s: %s%s", row.Verdict, row.Reason, row.Message)
			}
		})
	}
	if report.Verdict != "conformant" && report.Verdict != "partial" {
		t.Errorf("%s %v", report.Verdict, report.Problems)
	}
}
