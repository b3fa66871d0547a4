// Runs a folder of golden vectors against your library: go run *.go FOLDER COMMAND [ARGUMENT...]
//
// answer.go says what COMMAND is. Exit code: 0 all passed, 1 a test failed or a file is not the manifest's, 2 wrong usage.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

type object = map[string]any

func main() {
	if len(os.Args) < 3 {
		fmt.Println("usage: run_vectors FOLDER COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	var manifest struct{ Files map[string]object }
	read(os.Args[1]+"/manifest.json", &manifest)
	library, counts := start(os.Args[2:]), map[string]int{}
	for name, listed := range manifest.Files {
		var file struct{ Groups []group }
		if sum := read(os.Args[1]+"/"+name, &file); sum != listed["sha256"] {
			must(errors.New("its SHA-256 is not that of manifest.json"), name)
		}
		for _, group := range file.Groups {
			for _, test := range group.Tests {
				counts[run(library, group.Op, test)]++
			}
		}
	}
	for outcome, n := range counts {
		fmt.Println(n, outcome)
	}
	if counts["failed"] > 0 || counts["passed"] == 0 {
		os.Exit(1)
	}
}

type group struct {
	Op    string
	Tests []object
}

// run plays one test, prints what is wrong with the answer, and gives the outcome.
func run(library library, op string, test object) string {
	expect, _ := test["expect"].(object)
	if !runnable(op, expect) {
		return "skipped: " + op + ", which wireproof check judges by facts"
	}
	answer := library.answer(op, test)
	if answer["unsupported"] == true {
		return "skipped: " + op + ", which the library does not have"
	}
	expected, came := wrong(op, test, expect, answer)
	if expected == nil {
		return "passed"
	}
	fmt.Printf("%v: %v\n  expected %.500v\n  came     %.500v\n", test["id"], test["comment"], text(expected), text(came))
	return "failed"
}

// read parses a file, and gives its SHA-256.
func read(path string, into any) string {
	data, err := os.ReadFile(path)
	must(err, path)
	must(json.Unmarshal(data, into), path)
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

func text(value any) string {
	made, err := json.Marshal(value)
	must(err, "JSON")
	return string(made)
}

func must(err error, what any) {
	if err != nil {
		fmt.Printf("%v: %v\n", what, err)
		os.Exit(1)
	}
}
