package main

import (
	"encoding/json"
	"reflect"
	"strings"
)

// The operations whose expect has members of the answer. Others have facts, which wireproof check judges.
const operations = " fold.decode koda.decode koda.encode toon.decode toon.validate toon.rle.decode toon.rle.encode toon.stream "

// runnable says whether the members of expect can be compared.
func runnable(op string, expect object) bool {
	return strings.Contains(operations, " "+op+" ") && expect["without"] == nil && expect["digits"] == nil
}

// wrong gives what was expected and what came; nil when the answer is right.
func wrong(op string, test, expect, answer object) (expected, came any) {
	ok, taken := answer["ok"].(object)
	taken = taken && (op != "toon.validate" || ok["valid"] != false)
	if !taken && test["result"] == "valid" && expect["valid"] != false {
		return "ok", answer
	}
	if taken && test["result"] == "invalid" {
		return "a refusal", ok
	}
	for key := range expect {
		if taken && !same(op, key, expect[key], ok[key]) {
			return object{key: expect[key]}, object{key: ok[key]}
		}
	}
	return nil, nil
}

// same compares a member. Objects of TOON may have more members than expected, texts of Koda are equal as JSON.
func same(op, key string, expected, came any) bool {
	switch e := expected.(type) {
	case object:
		c, ok := came.(object)
		for name, value := range e {
			ok = ok && same(op, name, value, c[name])
		}
		return ok && (len(c) == len(e) || strings.HasPrefix(op, "toon.") && key != "payload")
	case []any:
		c, ok := came.([]any)
		ok = ok && len(c) == len(e)
		for i := 0; ok && i < len(e); i++ {
			ok = same(op, key, e[i], c[i])
		}
		return ok
	case string:
		var x, y any
		if text, ok := came.(string); ok && strings.HasPrefix(op, "koda.") && json.Unmarshal([]byte(e), &x) == nil {
			return json.Unmarshal([]byte(text), &y) == nil && reflect.DeepEqual(x, y)
		}
	}
	return expected == came
}
