package database

import (
	"regexp"
	"strings"
)

// likeAddress is the beginning of what looks like an address. One letter is a drive of Windows.
var likeAddress = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]+:(//|/?[^\s/@:]+:[^\s@]*@)`)

// startOfURL is the beginning of an address of any kind.
var startOfURL = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// secrets are options of addresses and connection strings that hold a password.
var secrets = regexp.MustCompile(`(?i)\b((?:ssl)?password|passwd|pwd|pass)=('[^']*'|[^&\s'";]*)`)

// withoutAt is a password behind which no host was written.
var withoutAt = regexp.MustCompile(`^[^\s/@:]*:[^\s/?]*[^\s/?0-9:'",;.)][^\s/?]*`)

// Redacted returns a text with *** in place of the password of everything in it that looks like an address, whether
// the program reads such addresses or not. A password may hold any character, @ and / too, so that all from the first
// colon behind the scheme to the last @ before the next address goes.
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

// redactedUser redacts the rest of an address behind its scheme and what follows it.
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
