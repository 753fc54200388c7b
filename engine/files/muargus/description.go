package muargus

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
)

// Limits of mu-Argus.
const (
	MaxWidth    = 100    // characters of a code
	MaxRecord   = 32_000 // characters of a fixed record
	MaxMissing  = 2      // missing codes per variable
	MaxPriority = 100    // cost of suppressing a variable
	MaxIDLevel  = microdata.LeastIdentifying

	// MaxVariables is the maximum number of variables of a description; mu-Argus documents no limit.
	MaxVariables = 250_000
)

// Description describes the variables of a data file and their positions (.rda).
type Description struct {
	Separator string // field separator; "" for fixed positions
	Names     bool   // the first record contains the names of the variables
	SPSS      bool   // the data is an SPSS file
	Variables []Variable
}

// Variable describes a variable. Its JSON form is used for the fields of a file in scripts.
type Variable struct {
	Name string `json:"name"`
	// position of the first character, from 1; 0 with a separator
	Start int `json:"start,omitempty"`
	Width int `json:"width"` // width in characters
	// at most two missing codes; the first is written for newly missing cells
	Missing     []string `json:"missing,omitempty"`
	Left        bool     `json:"left,omitempty"`         // values are aligned on the left of fixed fields
	Recodable   bool     `json:"recodable,omitempty"`    // categorical: can be used in tables, recoded and suppressed
	Numeric     bool     `json:"numeric,omitempty"`      // methods for numeric variables apply
	Decimals    int      `json:"decimals,omitempty"`     // decimals of numbers as written
	Truncable   bool     `json:"truncable,omitempty"`    // digits can be removed from the codes, which are hierarchical
	IDLevel     int      `json:"idlevel,omitempty"`      // 1, most identifying, to 5; 0 if not identifying
	Priority    *int     `json:"priority,omitempty"`     // cost of suppressing a value, 0 to 100; nil if unknown
	CodeList    string   `json:"codelist,omitempty"`     // path of a file with value labels, relative to the description
	Weight      bool     `json:"weight,omitempty"`       // sampling weight
	HouseholdID bool     `json:"household_id,omitempty"` // household identifier
	Household   bool     `json:"household,omitempty"`    // constant within households
	Related     []string `json:"related,omitempty"`      // variables that are suppressed together with this one
}

// Nominal reports whether the values are codes of categories even if they are digits: the variable is recodable
// and not numeric. Weights and household identifiers are not nominal.
func (v *Variable) Nominal() bool {
	return v.Recodable && !v.Numeric && !v.Weight && !v.HouseholdID
}

// UnmarshalJSON decodes a variable; an unknown field is an error.
func (v *Variable) UnmarshalJSON(text []byte) error {
	type plain Variable
	return strict.Decode(text, (*plain)(v))
}

// Check returns an error that wraps ErrDescription and names the variable if the description is invalid. What only
// causes a warning in mu-Argus is not an error; see Warnings.
func (d *Description) Check() error {
	if len(d.Variables) == 0 {
		return unusable("", "it describes no variable")
	}
	seen := map[string]bool{}
	for i := range d.Variables {
		v := &d.Variables[i]
		if name := strings.ToLower(v.Name); v.Name == "" || seen[name] {
			return unusable(v.Name, "variable %d has no name or a repeated name; names are not case-sensitive", i+1)
		}
		seen[strings.ToLower(v.Name)] = true
		if err := d.checkVariable(v); err != nil {
			return err
		}
	}
	if d.Separator != "" || d.SPSS {
		return nil
	}
	return d.checkPositions()
}

func (d *Description) checkVariable(v *Variable) error {
	switch {
	case strings.ContainsAny(v.Name, "\r\n\""):
		return unusable(v.Name, "its name contains a quote or a line break")
	case !d.SPSS && (v.Width <= 0 || v.Width > MaxRecord):
		return unusable(v.Name, "its width is %d; it must be 1 to %d", v.Width, MaxRecord)
	case d.Separator == "" && !d.SPSS && (v.Start <= 0 || v.Start > MaxRecord):
		return unusable(v.Name, "its position is %d; positions count from 1", v.Start)
	case len(v.Missing) > MaxMissing:
		return unusable(v.Name, "it has %d missing-value codes; at most %d are allowed", len(v.Missing), MaxMissing)
	case v.IDLevel < 0 || v.IDLevel > MaxIDLevel:
		return unusable(v.Name, "its identification level is %d; it must be 0 to %d", v.IDLevel, MaxIDLevel)
	case v.Priority != nil && (*v.Priority < 0 || *v.Priority > MaxPriority):
		return unusable(v.Name, "its suppression priority is %d; it must be 0 to %d", *v.Priority, MaxPriority)
	case v.Decimals < 0 || v.Decimals > MaxWidth:
		return unusable(v.Name, "it has %d decimals", v.Decimals)
	}
	for _, code := range v.Missing {
		if !d.SPSS && utf8.RuneCountInString(code) > v.Width {
			return unusable(v.Name, "a missing-value code is longer than the field of %s",
				wording.Counted(v.Width, "character"))
		}
		if unspeakable(code) {
			return unusable(v.Name,
				"a missing-value code contains a line break, a tab or a quote next to a space, begins with a quote, or "+
					"begins or ends with a space")
		}
	}
	return nil
}

// Declarable returns the first missing codes that a description can contain.
func Declarable(codes []string) []string {
	var out []string
	for _, code := range codes {
		if len(out) < MaxMissing && code != "" && !unspeakable(code) {
			out = append(out, code)
		}
	}
	return out
}

// unspeakable reports whether a missing code would be read differently: quotes protect inner spaces and commas,
// but nothing protects quotes.
func unspeakable(code string) bool {
	return strings.ContainsAny(code, "\r\n\t") || strings.TrimSpace(code) != code || strings.HasPrefix(code, `"`) ||
		strings.Contains(code, `"`) && strings.ContainsAny(code, " \t,<")
}

// checkPositions returns an error if fixed fields overlap.
func (d *Description) checkPositions() error {
	order := slices.Clone(d.Variables)
	slices.SortStableFunc(order, func(x, y Variable) int { return x.Start - y.Start })
	for i := 1; i < len(order); i++ {
		if before := order[i-1]; before.Start+before.Width > order[i].Start {
			return unusable(order[i].Name, "it begins at position %d, inside %q, which ends at %d", order[i].Start,
				wording.Excerpt(before.Name), before.Start+before.Width-1)
		}
	}
	return nil
}

func unusable(variable, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if variable != "" {
		text = fmt.Sprintf("variable %q: %s", wording.Excerpt(variable), text)
	}
	return problem(ErrDescription, 0, 0, "%s", text)
}

// Warnings describes the oddities of a description.
func (d *Description) Warnings() []string {
	var warnings []string
	called := ByName(d.Variables)
	for _, v := range d.Variables {
		name := wording.Excerpt(v.Name)
		if v.Recodable && !slices.ContainsFunc(v.Missing, func(code string) bool { return code != "" }) {
			warnings = append(warnings,
				fmt.Sprintf("variable %q is categorical and has no missing-value code; suppressed cells are written as empty", name))
		}
		for _, related := range v.Related {
			if len(called(related)) == 0 {
				warnings = append(warnings, fmt.Sprintf("variable %q is related to %q, which is not described", name,
					wording.Excerpt(related)))
			}
		}
		if v.Width > MaxWidth {
			warnings = append(warnings, fmt.Sprintf("variable %q has a width of %d; mu-Argus reads up to %d characters", name,
				v.Width, MaxWidth))
		}
	}
	return warnings
}

// ByName returns a function that finds the names of variables equal to a name, ignoring case, without searching
// all variables each time.
func ByName(variables []Variable) func(name string) []string {
	names := make(map[string][]string, len(variables))
	for i := range variables {
		key := strings.Map(folded, variables[i].Name)
		names[key] = append(names[key], variables[i].Name)
	}
	return func(name string) []string { return names[strings.Map(folded, name)] }
}

// folded returns a canonical form of a letter: the first of those equal under strings.EqualFold.
func folded(letter rune) rune {
	first := letter
	for other := unicode.SimpleFold(letter); other != letter; other = unicode.SimpleFold(other) {
		first = min(first, other)
	}
	return first
}

// Roles returns the roles that the description declares for a variable: weight, household identifier, key
// variable, constant within households.
func (v *Variable) Roles() (roles []microdata.Role) {
	for _, one := range [...]struct {
		has  bool
		role microdata.Role
	}{{v.Weight, microdata.RoleWeight}, {v.HouseholdID, microdata.RoleHousehold},
		{v.Recodable && v.IDLevel > 0 && !v.Weight && !v.HouseholdID, microdata.RoleKey}, {v.Household, microdata.RoleSame}} {
		if one.has {
			roles = append(roles, one.role)
		}
	}
	return roles
}
