package codec

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// canonicalNumber appends a number as Canonical writes it.
func canonicalNumber(out, text []byte) []byte {
	if !bytes.ContainsAny(text, ".eE") {
		if string(text) == "-0" {
			return append(out, '0')
		}
		return append(out, text...)
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || f == 0 && !zeroNumber(text) {
		return append(out, text...)
	}
	return appendES6(out, f)
}

// appendES6 appends a double as ECMAScript's Number.prototype.toString does.
func appendES6(out []byte, f float64) []byte {
	if f == 0 {
		return append(out, '0')
	}
	const smallest, largest = 1e-6, 1e21
	if abs := math.Abs(f); abs >= smallest && abs < largest {
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	start := len(out)
	out = strconv.AppendFloat(out, f, 'e', -1, 64)
	// ECMAScript writes e-7 where strconv writes e-07.
	if n := len(out); n-start >= 4 && out[n-4] == 'e' && out[n-2] == '0' {
		out = append(out[:n-2], out[n-1])
	}
	return out
}

// zeroNumber reports whether a number literal is exactly zero: no digit before an exponent but 0.
func zeroNumber(text []byte) bool {
	for _, c := range text {
		if c == 'e' || c == 'E' {
			break
		}
		if c >= '1' && c <= '9' {
			return false
		}
	}
	return true
}

// Integral reports whether raw is a JSON number with an integral value, such as 2, 2.0 or 2e0. It
// decides on the digits and never computes a large power. raw must be valid JSON.
func Integral(raw json.RawMessage) bool {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return false
	}
	_, digits, exponent := decimal(raw)
	return len(digits) == 0 || exponent[0] != '-'
}

// exactNumber appends a number in a form that is the same for numbers of the same exact value:
// digits without zeros at either end, and a decimal exponent.
func exactNumber(out, text []byte) []byte {
	negative, digits, exponent := decimal(text)
	if len(digits) == 0 {
		return append(out, '0')
	}
	if negative {
		out = append(out, '-')
	}
	out = append(out, digits...)
	out = append(out, 'e')
	return append(out, exponent...)
}

// decimal splits a number literal into its sign, its significant digits and the decimal exponent of
// the last of them. Exponents of any length are added as text, in time proportional to it.
func decimal(text []byte) (negative bool, digits, exponent []byte) {
	if len(text) > 0 && text[0] == '-' {
		negative, text = true, text[1:]
	}
	mantissa, exp := text, []byte("0")
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		mantissa, exp = text[:i], text[i+1:]
	}
	shift := 0
	digits = mantissa
	if i := bytes.IndexByte(mantissa, '.'); i >= 0 {
		shift = -(len(mantissa) - i - 1)
		digits = append(append([]byte(nil), mantissa[:i]...), mantissa[i+1:]...)
	}
	digits = bytes.TrimLeft(digits, "0")
	trimmed := bytes.TrimRight(digits, "0")
	shift += len(digits) - len(trimmed)
	return negative, trimmed, addExponent(exp, shift)
}

// addExponent adds a small number to an exponent text; the result has no + and no leading zeros.
func addExponent(exp []byte, shift int) []byte {
	negative := len(exp) > 0 && exp[0] == '-'
	digits := bytes.TrimLeft(exp, "+-0")
	const exact = 18 // digits that certainly fit an int64, also after the shift
	if len(digits) <= exact {
		n, _ := strconv.ParseInt("0"+string(digits), 10, 64)
		if negative {
			n = -n
		}
		return strconv.AppendInt(nil, n+int64(shift), 10)
	}
	if negative {
		return append([]byte{'-'}, addDigits(digits, -shift)...)
	}
	return addDigits(digits, shift)
}

// addDigits adds n to a decimal number that is much larger than n.
func addDigits(digits []byte, n int) []byte {
	out := append([]byte{'0'}, digits...)
	carry := n
	for i := len(out) - 1; i >= 0 && carry != 0; i-- {
		sum := int(out[i]-'0') + carry
		carry = sum / 10
		if sum %= 10; sum < 0 {
			sum += 10
			carry--
		}
		out[i] = byte('0' + sum)
	}
	return bytes.TrimLeft(out, "0")
}
