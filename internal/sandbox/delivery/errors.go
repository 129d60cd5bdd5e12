package delivery

import "fmt"

// The codes of a Refusal.
const (
	codeNameCollision  = "name_collision"
	codeInputNameEmpty = "input_name_empty"
	codeEnvReserved    = "env_reserved"
	codeEnvMissing     = "env_missing"
	codeArgNUL         = "arg_nul"
	codeArgTooLarge    = "arg_too_large"
	codeEnvTooLarge    = "env_too_large"
)

// Refusal is why nothing may be started: Code is name_collision, input_name_empty, env_reserved,
// env_missing, arg_nul, arg_too_large or env_too_large; Msg names both sides or the text; Hint is
// one thing to try. No value of a variable or an input stands in it. Unknown templates are refused
// earlier, by skills/admission (template_unknown, cwd_template).
type Refusal struct{ Code, Msg, Hint string }

// Error is the message.
func (e *Refusal) Error() string { return e.Msg }

func refuse(code, hint, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Msg: fmt.Sprintf(format, args...), Hint: hint}
}
