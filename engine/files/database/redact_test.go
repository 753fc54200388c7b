package database

import (
	"strings"
	"testing"
)

// Redacted removes the whole password of anything like an address, and leaves addresses without a password
// unchanged.
func TestRedacted(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://u:pw@host/db?table=person":             "postgres://u:***@host/db?table=person",
		"postgresq://u:pw@host/db?table=person: not there": "postgresq://u:***@host/db?table=person: not there",
		"POSTGRES://u:pw@host/db":                          "POSTGRES://u:***@host/db",
		"mysql://u:pw@host:3306/db":                        "mysql://u:***@host:3306/db",
		"postgres:/u:pw@host/db":                           "postgres:/u:***@host/db",
		"postgres:u:pw@host/db":                            "postgres:u:***@host/db",
		"postgres://u:p@ss/w:rd@host/db":                   "postgres://u:***@host/db",
		"postgres://u:p w?x#y@host/db":                     "postgres://u:***@host/db",
		"postgres://u@corp:pw@host/db":                     "postgres://u@corp:***@host/db",
		"postgres://u:pw":                                  "postgres://***",
		"cannot read sqlserver://u:pw@a and jdbc:postgresql://v:px@b": "cannot read sqlserver://u:***@a and " +
			"jdbc:postgresql:***@b",
		"host=db password=pw user=u":                    "host=db password=*** user=u",
		"postgres://h/db?user=u&password=p%40w&table=t": "postgres://h/db?user=u&password=***&table=t",
		"postgres://u@host:5432/db?table=person":        "postgres://u@host:5432/db?table=person",
		"postgres://host:5432: no server":               "postgres://host:5432: no server",
		"sqlite:survey.db?table=person":                 "sqlite:survey.db?table=person",
		`C:\data\a.csv: mail x@y.org`:                   `C:\data\a.csv: mail x@y.org`,
		"survey.csv, line 3: a field too many":          "survey.csv, line 3: a field too many",
		"see https://example.org/a for more":            "see https://example.org/a for more",
	} {
		if got := Redacted(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := Redacted(Redacted(text)); got != want {
			t.Errorf("%q redacted twice: %q", text, got)
		}
	}
}

// A text that begins like any address is not taken for a path, so that no message shows it as a file name; no
// message contains a part of a password.
func TestAddressesThatAreNone(t *testing.T) {
	for _, text := range []string{"postgresq://u:pw1@h/db?table=t", "mysql://u:pw1@h/db?table=t", "POSTGRE://u:pw1@h/db?table=t",
		"postgres://u:x@pw1/y@h/db?table=t", "postgres://u:1/pw1@h/db?table=t", "clickhouse://u:x@a/pw1@h/db?table=t",
		"postgres://u:1?pw1@h/db&table=t", "postgres://h/db?table=t&x@pw1=3", "https://h/pw1"} {
		if !Is(text) {
			t.Errorf("%s is a path", text)
		}
		a, err := Parse(text)
		if err == nil {
			t.Errorf("%s is shown as %s", text, a)
		} else if strings.Contains(err.Error(), "pw1") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, path := range []string{"survey.csv", "C://data/a.csv", `C:\a.csv`, "a:b.csv", "./postgres/x"} {
		if Is(path) {
			t.Errorf("%s is no path", path)
		}
	}
	a, err := Parse("POSTGRES://u:p@ss@h/db?table=t")
	if err != nil || a.String() != "postgres://u@h/db?table=t" {
		t.Errorf("in capitals: %v, %v", a, err)
	}
}
