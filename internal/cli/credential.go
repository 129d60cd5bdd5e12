package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/runx-go/runx/internal/cli/render"
	"github.com/runx-go/runx/internal/runtime"
	"github.com/runx-go/runx/internal/runtime/engine"
	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/sandbox/secret"
	"github.com/spf13/cobra"
)

// maxCredential is the longest value that credential set reads: 64 KiB, far above any key and below
// what one variable can hold on Linux (131,071 bytes).
const maxCredential = 64 << 10

func newCmdCredential(c *console) *cobra.Command {
	return group("credential", "Store, list and remove credentials", newCmdCredentialSet(c), newCmdCredentialList(c), newCmdCredentialRm(c))
}

// credentials opens the store; the function closes its folder, which must stay open for changes.
func (c *console) credentials() (*secret.Store, func() error, error) {
	dir, err := engine.OpenUserConfig(c.host)
	if err != nil {
		return nil, nil, err
	}
	store, err := secret.OpenStore(dir)
	if err != nil {
		dir.Close()
		return nil, nil, storeError(err)
	}
	return store, dir.Close, nil
}

// storeError says what is wrong with the file of credentials.
func storeError(err error) error {
	if _, ok := errors.AsType[*fsroot.PermissionError](err); ok {
		return err
	}
	return &runtime.Error{Class: runtime.ClassFailed, Code: "credential_store", Message: err.Error(), Err: err,
		Hint: "check the file, its permissions and its disk"}
}

// credentialOptions is one parsed `credential set`.
type credentialOptions struct{ provider, profile, mode, audience string }

func newCmdCredentialSet(c *console) *cobra.Command {
	var opts credentialOptions
	cmd := &cobra.Command{Use: "set <provider>", Short: "Store a credential, read from stdin or a hidden prompt",
		Long: `Store a credential of a provider. The value is read from stdin, or typed at a
hidden prompt when stdin is a terminal; it is never an argument.`,
		Example: `  runx credential set acme < token.txt
  runx credential set acme --profile ci`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 { // what follows is likely the secret: it is not repeated
				return usage("argument_extra", "runx credential set reads the value from stdin, never from an argument",
					"runx credential set "+quoteArg(args[0])+" < FILE")
			}
			return exactArgs("a provider")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.provider = args[0]
			return setCredential(cmd.Context(), c, opts)
		}}
	cmd.Flags().StringVar(&opts.profile, "profile", "default", "store it as `PROFILE`")
	cmd.Flags().Var(&filled{to: &opts.mode}, "mode", "the `MODE` of the package's credential that it is for")
	cmd.Flags().Var(&filled{to: &opts.audience}, "audience", "the `URL` that it is for; it then fits no other")
	return cmd
}

func setCredential(ctx context.Context, c *console, opts credentialOptions) error {
	names := []struct{ what, text string }{{"provider", opts.provider}, {"profile", opts.profile}}
	if opts.mode != "" {
		names = append(names, struct{ what, text string }{"mode", opts.mode})
	}
	for _, n := range names {
		if !secret.ValidName(n.text) {
			return usage("credential_name", fmt.Sprintf("cannot use %q as a %s: only letters, digits, '_', '.' and '-' are allowed, at most 64", n.text, n.what), "choose another name")
		}
	}
	value, err := readCredential(ctx, c, opts)
	if err != nil {
		return err
	}
	if len(value) < 4 {
		return usage("credential_short", "the value has under 4 bytes: it could not be kept out of output", "store the whole credential")
	}
	if strings.ContainsRune(value, 0) {
		return usage("credential_value", "the value holds a NUL byte, which no variable can carry", "store the credential as text")
	}
	store, closeStore, err := c.credentials()
	if err != nil {
		return err
	}
	defer closeStore() //nolint:errcheck // what was written has been synced
	entry := secret.Entry{Provider: opts.provider, Profile: opts.profile, Mode: opts.mode, Audience: opts.audience}
	if err := store.Set(entry, secret.New(value)); err != nil {
		return storeError(fmt.Errorf("cannot store the credential: %w", err))
	}
	fmt.Fprintf(c.err, "stored the credential of %s, profile %s\n", opts.provider, opts.profile)
	return nil
}

// readCredential reads the value; one line end behind it does not belong to it.
func readCredential(ctx context.Context, c *console, opts credentialOptions) (string, error) {
	if c.io.InTerminal {
		if c.io.ReadSecret == nil || !interactive(c.host, c.io, c.global.noInput) {
			return "", usage("no_terminal", "cannot ask for the value: prompts are switched off", "pipe it: runx credential set "+opts.provider+" < FILE")
		}
		return c.io.ReadSecret(ctx, fmt.Sprintf("value for %s (%s), not shown: ", opts.provider, opts.profile))
	}
	data, err := io.ReadAll(io.LimitReader(c.io.In, maxCredential+1))
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", usage("credential_value", fmt.Sprintf("cannot read the value from stdin: %v", err), "pipe it into the command")
	}
	if len(data) > maxCredential {
		return "", usage("credential_value", fmt.Sprintf("the value has more than %d bytes", maxCredential), "store the credential alone")
	}
	text := strings.TrimSuffix(string(data), "\n")
	return strings.TrimSuffix(text, "\r"), nil
}

func newCmdCredentialList(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List stored credentials, without values", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			store, closeStore, err := c.credentials()
			if err != nil {
				return err
			}
			defer closeStore() //nolint:errcheck // what was written has been synced
			entries := store.List()
			if asJSON {
				if entries == nil {
					entries = []secret.Entry{}
				}
				return render.JSON(c.out, struct {
					Schema      string         `json:"schema"`
					Credentials []secret.Entry `json:"credentials"`
				}{"runx.credential_list.v1", entries})
			}
			var b strings.Builder
			rows := make([][]string, 0, len(entries))
			for _, e := range entries {
				rows = append(rows, []string{e.Provider, e.Profile, e.Mode, e.Audience})
			}
			writeColumns(&b, rows)
			_, err = io.WriteString(c.out, b.String())
			return err
		}}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newCmdCredentialRm(c *console) *cobra.Command {
	var profile string
	cmd := &cobra.Command{Use: "rm <provider>", Short: "Remove a stored credential", Args: exactArgs("a provider"),
		RunE: func(_ *cobra.Command, args []string) error {
			store, closeStore, err := c.credentials()
			if err != nil {
				return err
			}
			defer closeStore() //nolint:errcheck // what was written has been synced
			found, err := store.Remove(args[0], profile)
			if err != nil {
				return storeError(err)
			}
			if !found {
				return usage("credential_unknown", fmt.Sprintf("no credential of provider %q with profile %q is stored", args[0], profile), "runx credential list")
			}
			fmt.Fprintf(c.err, "removed the credential of %s, profile %s\n", args[0], profile)
			return nil
		}}
	cmd.Flags().StringVar(&profile, "profile", "default", "remove this `PROFILE`")
	return cmd
}
