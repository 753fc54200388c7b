package check

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// A critical finding passes only if each of its variables is accepted by finding and variable, with a reason and a
// name.
func TestRefusing(t *testing.T) {
	found := []Finding{{Name: "direct-identifiers", Critical: true, Variables: []string{"pid", "tel"}},
		{Name: "k-anonymity", Critical: true, Whole: true, Variables: []string{"sex", "age"}}, {Name: "dates", Variables: []string{"born"}}}
	whole := Acceptance{Finding: "k-anonymity", Because: "reason", By: "A. B."}
	pid := Acceptance{"direct-identifiers", "pid", "reason", "A. B.", ""}
	tel := Acceptance{"direct-identifiers", "tel", "other reason", "C. D.", "2026-05-17"}
	blank := func(a Acceptance, because, by string) Acceptance {
		a.Because, a.By = because, by
		return a
	}
	for _, c := range []struct {
		accepted []Acceptance
		missing  string
	}{
		{nil, "direct-identifiers:pid direct-identifiers:tel k-anonymity"},
		{[]Acceptance{pid}, "direct-identifiers:tel k-anonymity"},
		{[]Acceptance{pid, tel}, "k-anonymity"},
		{[]Acceptance{pid, tel, whole}, ""},
		{[]Acceptance{whole, blank(pid, "", "A. B."), blank(tel, "reason", " \t")}, "direct-identifiers:pid direct-identifiers:tel"},
		{[]Acceptance{whole, blank(pid, "a\nb", "A. B."), tel}, "direct-identifiers:pid"},
		{[]Acceptance{{Finding: "direct-identifiers", Because: "r", By: "A"}, whole}, "direct-identifiers:pid direct-identifiers:tel"},
		{[]Acceptance{pid, tel, {"k-anonymity", "sex", "reason", "A. B.", ""}}, "k-anonymity"},
		{[]Acceptance{pid, {"direct-identifiers", "tel", "reason", "A. B.", "yesterday"}, whole}, "direct-identifiers:tel"},
	} {
		if missing := strings.Join(Missing(found, c.accepted), " "); missing != c.missing ||
			(len(Refusing(found, c.accepted)) == 0) != (missing == "") {
			t.Errorf("%v: missing %s; refusing %v", c.accepted, missing, Refusing(found, c.accepted))
		}
	}
	all := []Acceptance{tel, whole, pid, {"household-ids", "hid", "reason", "A. B.", ""}}
	if got := Covering(found, all); !slices.Equal(got, []Acceptance{pid, tel, whole}) {
		t.Errorf("covering %v", got)
	}
	if got := Accept(found, "reason", "A. B.", ""); len(got) != 3 || got[0] != pid || got[2] != whole {
		t.Errorf("accept %v", got)
	}
}

// Acceptances are parsed by finding and variable; former names are accepted.
func TestParseAcceptance(t *testing.T) {
	for text, want := range map[string]string{"direct-identifiers:email_use": "direct-identifiers:email_use",
		"household-numbers:hid": "household-ids:hid", "group-numbers:a:b": "cluster-ids:a:b", "k-anonymity": "k-anonymity",
		"k-anonymity:sex": "", "pid": "", "": ""} {
		a, err := ParseAcceptance(text)
		if errors.Is(err, ErrAcceptance) != (want == "") || err == nil && a.Subject() != want {
			t.Errorf("%q: %+v, %v", text, a, err)
		}
	}
}
