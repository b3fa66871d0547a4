package main

import (
	"encoding/json"
	"os/exec"
)

// A library that answers tests. This one drives a testee: a program that answers operations on stdin and stdout, one JSON
// object a line. Put your own library here.
type library struct {
	in  *json.Encoder
	out *json.Decoder
}

func start(command []string) library {
	program := exec.Command(command[0], command[1:]...)
	in, err := program.StdinPipe()
	must(err, "stdin")
	out, err := program.StdoutPipe()
	must(err, "stdout")
	must(program.Start(), command[0])
	return library{json.NewEncoder(in), json.NewDecoder(out)}
}

// answer gives {"ok": {…}}, {"error": {…}} for an input that is refused, or {"unsupported": true}.
func (l library) answer(op string, test object) (came object) {
	request := object{"op": op}
	for key, value := range test {
		request[key] = value
	}
	for _, column := range []string{"comment", "flags", "requirements", "result", "expect", "error"} {
		delete(request, column)
	}
	must(l.in.Encode(request), test["id"])
	must(l.out.Decode(&came), test["id"])
	return came
}
