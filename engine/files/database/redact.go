package database

import (
	"regexp"
	"strings"
)

// likeAddress matches the beginning of an address. A single letter is a Windows drive instead.
var likeAddress = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]+:(//|/?[^\s/@:]+:[^\s@]*@)`)

// startOfURL matches the beginning of a URL.
var startOfURL = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// secrets matches options of addresses and connection strings that contain a password.
var secrets = regexp.MustCompile(`(?i)\b((?:ssl)?password|passwd|pwd|pass)=('[^']*'|[^&\s'";]*)`)

// withoutAt matches a password that is not followed by a host.
var withoutAt = regexp.MustCompile(`^[^\s/@:]*:[^\s/?]*[^\s/?0-9:'",;.)][^\s/?]*`)

// Redacted returns a text with *** in place of all passwords in anything like an address, supported or not.
// Because a password may contain any character, including @ and /, everything is removed from the first colon
// after the scheme to the last @ before the next address.
func Redacted(text string) string {
	starts := likeAddress.FindAllStringIndex(text, -1)
	var out strings.Builder
	from := 0
	for i, at := range starts {
		colon := strings.IndexByte(text[at[0]:], ':') + at[0] + 1
		to := len(text)
		if i+1 < len(starts) {
			to = starts[i+1][0]
		}
		out.WriteString(text[from:colon])
		out.WriteString(redactedUser(text[colon:to]))
		from = to
	}
	out.WriteString(text[from:])
	return secrets.ReplaceAllString(out.String(), "$1=***")
}

// redactedUser redacts the text after the scheme of an address.
func redactedUser(rest string) string {
	slashes := len(rest) - len(strings.TrimLeft(rest, "/"))
	line, after, broken := strings.Cut(rest[slashes:], "\n")
	at, colon := strings.LastIndexByte(line, '@'), strings.IndexByte(line, ':')
	switch {
	case at >= 0 && colon >= 0 && colon < at:
		line = line[:colon] + ":***" + line[at:]
	case at < 0:
		line = withoutAt.ReplaceAllString(line, "***")
	}
	if broken {
		line += "\n" + after
	}
	return rest[:slashes] + line
}
