package admission

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/runx-go/runx/internal/skills/schema"
)

// compile compiles what a runner declares and checks defaults, enums and examples against it. When
// something does not compile, every fault is reported and the result is not used.
func (a *admitter) compile(r *skills.Runner) contracts {
	var out contracts
	var err error
	if out.inputs, err = schema.NewContract(r.Inputs, a.pkg.packets); err != nil {
		out.inputs = nil
		for _, in := range r.Inputs {
			a.checkSchema(in.SchemaAt, in.Schema, fmt.Sprintf("input %q", in.Name))
		}
	}
	for _, in := range r.Inputs {
		a.checkDefault(out.inputs, in)
	}
	if out.outputs, err = schema.NewOutputs(r.Outputs); err != nil {
		for _, o := range r.Outputs {
			a.checkSchema(o.SchemaAt, o.Schema, fmt.Sprintf("output %q", o.Name))
		}
	}
	for _, o := range r.Outputs {
		a.checkEnum(o)
	}
	if out.inputs != nil {
		for i, example := range r.Examples {
			a.checkExample(out.inputs, r.ExamplesAt[i], example)
		}
	}
	return out
}

// checkUnusedDefinitions judges the shared inputs that no runner took.
func (a *admitter) checkUnusedDefinitions() {
	used := map[skills.Position]bool{}
	for _, r := range a.pkg.Profile.Runners {
		for _, in := range r.Inputs {
			used[in.SchemaAt], used[in.DefaultAt] = true, true
		}
	}
	for _, in := range a.pkg.Profile.Definitions {
		if in.Schema != nil && !used[in.SchemaAt] {
			a.checkSchema(in.SchemaAt, in.Schema, fmt.Sprintf("input %q", in.Name))
		}
		if !used[in.DefaultAt] {
			a.checkDefault(nil, in)
		}
	}
}

func (a *admitter) checkSchema(at skills.Position, raw json.RawMessage, where string) {
	if raw == nil {
		return
	}
	if _, err := schema.Compile(raw); err != nil {
		code, reason := compileFault(err)
		a.fault(at, code, "", "the schema of %s cannot be used: %s", where, reason)
	}
}

// compileFault is the code and the reason of an error of schema.Compile.
func compileFault(err error) (code, reason string) {
	fault, ok := errors.AsType[*schema.CompileError](err)
	switch {
	case !ok:
		return "schema_invalid", err.Error()
	case fault.Pointer == "":
		return fault.Code, fault.Msg
	default:
		return fault.Code, "at " + fault.Pointer + ": " + fault.Msg
	}
}

// checkDefault uses the compiled contract for a schema, so that nothing is compiled twice; without
// one it compiles, and leaves a schema that does not compile to checkSchema.
func (a *admitter) checkDefault(contract *schema.Contract, in skills.Input) {
	if in.Default == nil {
		return
	}
	failures := []schema.Failure(nil)
	if in.Schema != nil && contract != nil && schema.CheckType(in.Type, in.Default) {
		failures = bindFailures(contract, codec.Member{Name: in.Name, Raw: in.Default})
	} else {
		failures = schema.CheckValue(in, in.Default)
	}
	for _, f := range failures {
		if f.Code == "input_type" || f.Code == "input_schema" {
			a.fault(in.DefaultAt, "default_invalid", f.Hint, "the default of input %q does not fit: %s", in.Name, f.Message)
		}
	}
}

// bindFailures are the failures of one member, bound alone.
func bindFailures(contract *schema.Contract, member codec.Member) []schema.Failure {
	object, err := codec.JoinObject([]codec.Member{member})
	if err != nil {
		return nil
	}
	_, err = contract.Bind(object)
	var out []schema.Failure
	if bind, ok := errors.AsType[*schema.BindError](err); ok {
		for _, f := range bind.Failures {
			if f.Input == member.Name {
				out = append(out, f)
			}
		}
	}
	return out
}

func (a *admitter) checkEnum(o skills.Output) {
	for _, value := range o.Enum {
		if !schema.CheckType(o.Type, value) {
			a.fault(o.At, "output_enum", "", "the enum of output %q has %s, which is not of type %s", o.Name, value, o.Type)
		}
	}
}

func (a *admitter) checkExample(contract *schema.Contract, at skills.Position, raw json.RawMessage) {
	object, err := codec.ParseObject(at.File, raw, codec.Limits{})
	if err == nil {
		_, err = contract.Bind(object)
	}
	if bind, ok := errors.AsType[*schema.BindError](err); ok {
		for _, f := range bind.Failures {
			a.fault(at, "example_invalid", f.Hint, "the example does not fit: %s", f.Message)
		}
	} else if err != nil {
		a.fault(at, "example_invalid", "", "the example does not fit: %v", err)
	}
}
