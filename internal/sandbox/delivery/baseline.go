package delivery

// Baseline returns the 25 names that a child gets when they are set on the host, in the order of
// the environment: processes and user paths, certificates, locale and terminal. The slice is the
// caller's. Proxy variables are not among them, because a proxy's URL can hold a password.
func Baseline() []string {
	return []string{
		"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "SystemRoot", "WINDIR", "COMSPEC", "PATHEXT", "USER", "LOGNAME",
		"CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
		"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TERM", "COLORTERM", "TZ",
	}
}

// The variables that runx itself makes. Every name with the prefix is its own.
const (
	reservedPrefix = "RUNX_"

	nameCwd        = "RUNX_CWD"
	nameReceiptDir = "RUNX_RECEIPT_DIR"
	nameVerifyKID  = "RUNX_RECEIPT_VERIFY_KID"
	nameVerifyKey  = "RUNX_RECEIPT_VERIFY_ED25519_PUBLIC_KEY_BASE64"

	nameInputsPath = "RUNX_INPUTS_PATH"
	nameInputsJSON = "RUNX_INPUTS_JSON"
	inputPrefix    = "RUNX_INPUT_"
	pathSuffix     = "_PATH"
)

// transport are the names of rule 2, in the order of the environment.
func transport() []string {
	return []string{nameCwd, nameReceiptDir, nameVerifyKID, nameVerifyKey}
}
