package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/runx-go/runx/internal/sandbox/secret"
)

const canary = "CANARY-9f3a"

type holder struct {
	Name    string
	Key     secret.Value
	private secret.Value
	Pointer *secret.Value
}

func TestValueNeverPrints(t *testing.T) {
	v := secret.New(canary)
	h := holder{Name: "n", Key: v, private: v, Pointer: &v}
	var outputs []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%p", "%T", "%10.3s", "%U", "%w"} {
		for _, arg := range []any{v, &v, h, &h, []secret.Value{v}, map[string]secret.Value{"k": v}} {
			outputs = append(outputs, fmt.Errorf(verb, arg).Error())
		}
	}
	for _, handler := range []func(*bytes.Buffer) slog.Handler{
		func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var b bytes.Buffer
		slog.New(handler(&b)).Info("m", "value", v, "pointer", &v, "holder", h)
		outputs = append(outputs, b.String())
	}
	text, err := json.Marshal(map[string]any{"v": v, "p": &v, "h": h})
	outputs = append(outputs, string(text), fmt.Sprint(err))
	marshalled, err := v.MarshalText()
	outputs = append(outputs, string(marshalled), fmt.Sprint(err), fmt.Sprint(errors.Join(fmt.Errorf("%v", v))))
	for _, out := range outputs {
		if strings.Contains(out, canary) || strings.Contains(out, fmt.Sprintf("%x", canary)) {
			t.Errorf("output holds the value: %s", out)
		}
	}
	if got := fmt.Sprintf("%s|%#v|%v", v, v, &v); got != strings.Join([]string{secret.Mark, secret.Mark, secret.Mark}, "|") {
		t.Errorf("printed %q", got)
	}
	if got, want := string(text), `"`+secret.Mark+`"`; strings.Count(got, want) != 4 {
		t.Errorf("marshalled %s, want the mark 4 times", got)
	}
}

func TestValue(t *testing.T) {
	tests := []struct {
		name   string
		value  secret.Value
		reveal string
		zero   bool
	}{
		{"zero", secret.Value{}, "", true},
		{"empty", secret.New(""), "", false},
		{"text", secret.New(canary), canary, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.value.Reveal(); got != tt.reveal {
				t.Errorf("Reveal() = %q, want %q", got, tt.reveal)
			}
			if got := tt.value.IsZero(); got != tt.zero {
				t.Errorf("IsZero() = %v, want %v", got, tt.zero)
			}
		})
	}
}
