package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Acceptance is the decision of a person to release a file with a critical finding about
// one variable. A variable that appears in the finding later is not covered.
type Acceptance struct {
	Finding  string `json:"finding"`            // name of the finding
	Variable string `json:"variable,omitempty"` // or "" for a finding about the file as a whole
	Because  string `json:"because"`            // reason
	By       string `json:"by"`                 // person
	Date     string `json:"date,omitempty"`     // such as 2026-05-17, or "" if unknown
}

// ErrAcceptance is wrapped by errors about invalid acceptances.
var ErrAcceptance = errors.New("invalid acceptance")

// formerNames are names that findings had in earlier versions.
var formerNames = map[string]string{"household-numbers": "household-ids", "group-numbers": "cluster-ids"}

// ParseAcceptance parses "finding:variable", or "finding" for a finding about the file as a whole. Reason, person
// and date are left empty. Errors wrap ErrAcceptance.
func ParseAcceptance(text string) (Acceptance, error) {
	name, variable, _ := strings.Cut(text, ":")
	if now, ok := formerNames[name]; ok {
		name = now
	}
	specs := Specs()
	at := slices.IndexFunc(specs, func(spec Spec) bool { return spec.Name == name })
	switch {
	case at < 0:
		return Acceptance{}, fmt.Errorf("%w %q: no such finding", ErrAcceptance, text)
	case specs[at].Whole && variable != "":
		return Acceptance{}, fmt.Errorf("%w %q: %s is about the file as a whole and is accepted without a variable",
			ErrAcceptance, text, name)
	}
	return Acceptance{Finding: name, Variable: variable}, nil
}

// Valid reports an acceptance without a reason or a name, or with text that does not fit on one line of a report.
// Errors wrap ErrAcceptance.
func (a *Acceptance) Valid() error {
	for _, part := range [...][2]string{{a.Because, "reason"}, {a.By, "name of the person who accepts it"}} {
		if strings.TrimSpace(part[0]) == "" {
			return fmt.Errorf("%w of %s: add the %s", ErrAcceptance, a.Subject(), part[1])
		}
		if strings.ContainsFunc(part[0], func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fmt.Errorf("%w of %s: the %s must be one line of printable text", ErrAcceptance, a.Subject(), part[1])
		}
	}
	if _, err := time.Parse(time.DateOnly, a.Date); a.Date != "" && err != nil {
		return fmt.Errorf("%w of %s: its date must look like 2026-05-17", ErrAcceptance, a.Subject())
	}
	return nil
}

// Subject returns what is accepted, in the notation of ParseAcceptance.
func (a *Acceptance) Subject() string {
	if a.Variable == "" {
		return a.Finding
	}
	return a.Finding + ":" + a.Variable
}

// String returns the acceptance as one line.
func (a *Acceptance) String() string {
	text := fmt.Sprintf("%s accepted by %s", a.Subject(), a.By)
	if a.Date != "" {
		text += " on " + a.Date
	}
	return text + ": " + a.Because
}

// subjects returns the variables about which the finding must be accepted, or "" for the file as a whole.
func (f *Finding) subjects() []string {
	if f.Whole || len(f.Variables) == 0 {
		return []string{""}
	}
	return f.Variables
}

// Accept returns the acceptances required to release the file with these findings, all with the same reason,
// person and date. Warnings need none.
func Accept(found []Finding, because, by, date string) (all []Acceptance) {
	for i := range found {
		if !found[i].Critical {
			continue
		}
		for _, variable := range found[i].subjects() {
			all = append(all, Acceptance{found[i].Name, variable, because, by, date})
		}
	}
	return all
}

// Acceptances returns the acceptances of the finding, in the order of its variables.
func (f *Finding) Acceptances(accepted []Acceptance) (about []Acceptance) {
	for _, variable := range f.subjects() {
		at := slices.IndexFunc(accepted, func(a Acceptance) bool {
			return a.Finding == f.Name && a.Variable == variable && a.Valid() == nil
		})
		if at >= 0 && f.Critical {
			about = append(about, accepted[at])
		}
	}
	return about
}

// Unaccepted returns the variables of a critical finding that are not accepted, or "" for the file as a whole.
func (f *Finding) Unaccepted(accepted []Acceptance) (variables []string) {
	if !f.Critical {
		return nil
	}
	about := f.Acceptances(accepted)
	return slices.DeleteFunc(slices.Clone(f.subjects()), func(variable string) bool {
		return slices.ContainsFunc(about, func(a Acceptance) bool { return a.Variable == variable })
	})
}

// Refusing returns the critical findings that are not accepted for each of their variables.
func Refusing(found []Finding, accepted []Acceptance) []Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return len(f.Unaccepted(accepted)) == 0 })
}

// Covering returns the acceptances used by findings, in the order of the findings, each once.
func Covering(found []Finding, accepted []Acceptance) (needed []Acceptance) {
	for i := range found {
		for _, a := range found[i].Acceptances(accepted) {
			if !slices.Contains(needed, a) {
				needed = append(needed, a)
			}
		}
	}
	return needed
}

// Unneeded returns acceptances of what is not a critical finding, in the notation of ParseAcceptance.
func Unneeded(found []Finding, accepted []Acceptance) (unneeded []string) {
	for i := range accepted {
		if len(Covering(found, accepted[i:i+1])) == 0 {
			unneeded = append(unneeded, accepted[i].Subject())
		}
	}
	return unneeded
}

// Missing returns the acceptances still required, in the notation of ParseAcceptance.
func Missing(found []Finding, accepted []Acceptance) (missing []string) {
	for i := range found {
		for _, variable := range found[i].Unaccepted(accepted) {
			a := Acceptance{Finding: found[i].Name, Variable: variable}
			if !slices.Contains(missing, a.Subject()) {
				missing = append(missing, a.Subject())
			}
		}
	}
	return missing
}
