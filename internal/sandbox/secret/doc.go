// Package secret keeps a credential from being printed and finds it in bytes that are about to
// leave. Value is a credential that no way of formatting shows; Redactor replaces its spellings in
// texts, streams and JSON; Store keeps credentials in the user's configuration.
//
// It refuses values too short to be found without touching other text, and a file of credentials
// that others can reach. It does not guess what looks like a secret, and it does not protect from
// the same user.
//
// Every package may import it that layers.txt lists; it imports sandbox/fsroot only.
package secret
