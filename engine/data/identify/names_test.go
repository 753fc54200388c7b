package identify

import (
	"slices"
	"strings"
	"testing"
)

func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string][]string{
		"HH_id2": {"hh", "hhid", "id"}, "firstName": {"first", "firstname", "name"}, "ABc": {"abc"}, "": nil, "12": nil,
		"ÄnderungÜber": {"anderung", "anderunguber", "uber"}, "a1B": {"a", "ab", "b"}, "a\xffb": {"a", "ab", "b"},
	} {
		if got := Words(name); !slices.Equal(got, want) {
			t.Errorf("%q is made of %q, expected %q", name, got, want)
		}
	}
}

// Words takes memory, and thus time, in proportion to the length of a name.
func TestWordsOfLongNames(t *testing.T) {
	const most = 100
	for _, name := range []string{strings.Repeat("x", 100_000),
		strings.Repeat("_", 100_000) + strings.Repeat("X", 100_000)} {
		if taken := testing.AllocsPerRun(1, func() { Words(name) }); taken > most {
			t.Errorf("a name of %d characters takes memory %.0f times", len(name), taken)
		}
	}
}
