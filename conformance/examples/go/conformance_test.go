// Package conformance has each requirement of each target as a test. What is checked stands in the project's statement
// (wireproof.yaml). Go keeps the results of tests, and does not see that the agent has changed: run it with go test -count=1.
package conformance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

type requirement struct {
	ID, Level, Text, Verdict, Reason, Message, Replay string
	Expected                                          *struct{ Reason string } `json:"expected_failure"`
	Follows                                           *struct{ ID string }     `json:"follows_from"`
}

type report struct {
	Verdict      string
	Strict       bool
	Problems     []string
	Requirements []requirement
}

func TestConformance(t *testing.T) {
	// A statement of several targets gives a report of each: {name} is the name of the target.
	pattern := filepath.Join(t.TempDir(), "{name}.json")
	check := exec.Command("npx", "wireproof", "check", "--report", "json="+pattern)
	check.Stdout, check.Stderr = os.Stderr, os.Stderr
	exit := check.Run()
	files, _ := filepath.Glob(strings.ReplaceAll(pattern, "{name}", "*"))
	if code := check.ProcessState.ExitCode(); len(files) == 0 || code == 2 || code == 5 {
		t.Fatalf("no report: %v", exit)
	}
	for _, file := range files {
		var one report
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &one)
		}
		if err != nil {
			t.Errorf("no report: %v", err)
		} else if len(files) == 1 {
			requirements(t, one)
		} else {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) { requirements(t, one) })
		}
	}
}

func requirements(t *testing.T, report report) {
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
