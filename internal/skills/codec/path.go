package codec

import "strconv"

// JoinPath appends a member to a JSON path: $.name, or $["odd name"] when the name is not made of
// letters, digits, _ and - with a letter or _ in front.
func JoinPath(path, name string) string {
	plain := name != ""
	for i, c := range []byte(name) {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		plain = plain && (letter || i > 0 && (c == '-' || c >= '0' && c <= '9'))
	}
	if plain {
		return path + "." + name
	}
	return path + "[" + string(Quote(name)) + "]"
}

// JoinIndex appends an item to a JSON path: $[0].
func JoinIndex(path string, index int) string {
	return path + "[" + strconv.Itoa(index) + "]"
}
