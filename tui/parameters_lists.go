package tui

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
)

// noEntries is typed for a list without entries, where leaving the field empty
// means the default.
const noEntries = "none"

// textsParameter edits a list of texts: entries with commas between, in double
// quotes where an entry has a comma itself. known checks an entry; nil: any will
// do.
func textsParameter(label string, param method.Param, value *[]string, known func(entry string) error) *formField {
	return &formField{
		label: label, help: param.Help + "; several with commas between",
		value: func() string { return shownList(*value) },
		typed: func(text string) error {
			entries, err := splitEntries(text)
			if err != nil {
				return fmt.Errorf("%s: %w", label, err)
			}
			for _, entry := range entries {
				if known == nil {
					break
				}
				if err := known(entry); err != nil {
					return err
				}
			}
			*value = entries
			return nil
		},
	}
}

func shownList(entries []string) string {
	switch {
	case entries == nil:
		return ""
	case len(entries) == 0:
		return noEntries
	}
	shown := make([]string, len(entries))
	for i, entry := range entries {
		if shown[i] = entry; strings.ContainsAny(entry, `,"`) || strings.TrimSpace(entry) != entry {
			shown[i] = `"` + strings.ReplaceAll(entry, `"`, `""`) + `"`
		}
	}
	return strings.Join(shown, ", ")
}

var errQuotes = errors.New("a double quote is not closed")

// splitEntries cuts a text at its commas; nil for an empty text.
func splitEntries(text string) ([]string, error) {
	switch strings.TrimSpace(text) {
	case "":
		return nil, nil
	case noEntries:
		return []string{}, nil
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.TrimLeadingSpace = true
	entries, err := reader.Read()
	if err != nil {
		return nil, errQuotes
	}
	entries = slices.DeleteFunc(entries, func(entry string) bool { return strings.TrimSpace(entry) == "" })
	for i := range entries {
		entries[i] = strings.TrimSpace(entries[i])
	}
	return entries, nil
}

// variableKnown checks that the file has a variable.
func variableKnown(s views.State) func(entry string) error {
	return func(entry string) error {
		if _, ok := s.Current.Data.Column(entry); !ok {
			return fmt.Errorf("the file has no variable %q", entry)
		}
		return nil
	}
}

// numbersParameter edits a list of numbers, with commas or blanks between.
func numbersParameter(label string, param method.Param, value *[]float64) *formField {
	return &formField{
		label: label, help: param.Help + "; several with commas between",
		value: func() string {
			texts := make([]string, len(*value))
			for i, x := range *value {
				texts[i] = number(x)
			}
			return strings.Join(texts, ", ")
		},
		typed: func(text string) error {
			var numbers []float64
			for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
				x, err := finite(entry)
				if err != nil {
					return fmt.Errorf("%s: %q is no number", label, entry)
				}
				numbers = append(numbers, x)
			}
			*value = numbers
			return nil
		},
	}
}

// mostWhole is the number up to which all whole ones can be told apart.
const mostWhole = 1 << 53

// wholesParameter edits a list of whole numbers.
func wholesParameter(label string, param method.Param, value *[]int) *formField {
	var floats []float64
	field := numbersParameter(label, param, &floats)
	field.value = func() string {
		texts := make([]string, len(*value))
		for i, n := range *value {
			texts[i] = strconv.Itoa(n)
		}
		return strings.Join(texts, ", ")
	}
	typed := field.typed
	field.typed = func(text string) error {
		if err := typed(text); err != nil {
			return err
		}
		var wholes []int
		for _, x := range floats {
			if x != math.Trunc(x) || math.Abs(x) > mostWhole {
				return fmt.Errorf("%s: %s is no whole number", label, number(x))
			}
			wholes = append(wholes, int(x))
		}
		*value = wholes
		return nil
	}
	return field
}

// optionalWhole edits a whole number that can be left out.
func optionalWhole(label string, param method.Param, value **int) *formField {
	return &formField{
		label: label, help: param.Help + "; an empty field for none",
		value: func() string {
			if *value == nil {
				return noEntries
			}
			return strconv.Itoa(**value)
		},
		typed: func(text string) error {
			if text == "" || text == noEntries {
				*value = nil
				return nil
			}
			typed, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("%s is a whole number", label)
			}
			*value = &typed
			return nil
		},
	}
}

// importanceParameter edits an order of variables: "sex:1, age:2".
func importanceParameter(label string, param method.Param, value *map[string]int, known func(entry string) error) *formField {
	return &formField{
		label: label, help: param.Help + `; written as "sex:1, age:2"`,
		value: func() string {
			names := slices.SortedFunc(maps.Keys(*value), func(a, b string) int {
				if (*value)[a] != (*value)[b] {
					return (*value)[a] - (*value)[b]
				}
				return strings.Compare(a, b)
			})
			for i, name := range names {
				names[i] = name + ":" + strconv.Itoa((*value)[name])
			}
			return strings.Join(names, ", ")
		},
		typed: func(text string) error {
			var numbered map[string]int
			for entry := range strings.SplitSeq(text, ",") {
				if strings.TrimSpace(entry) == "" {
					continue
				}
				colon := strings.LastIndex(entry, ":")
				if colon < 0 {
					return fmt.Errorf("%s: write a variable, a colon and its number", label)
				}
				name := strings.TrimSpace(entry[:colon])
				if err := known(name); err != nil {
					return err
				}
				place, err := strconv.Atoi(strings.TrimSpace(entry[colon+1:]))
				if err != nil {
					return fmt.Errorf("%s: the number of %q is no whole number", label, name)
				}
				if numbered == nil {
					numbered = map[string]int{}
				}
				numbered[name] = place
			}
			*value = numbered
			return nil
		},
	}
}

// writtenParameter edits a parameter that has a form of its own in one line.
func writtenParameter(label string, param method.Param, value method.Written) *formField {
	return &formField{label: label, help: param.Help, value: value.String, typed: value.Set}
}

// levelKnown checks that the variable that another parameter names has a level.
func levelKnown(s views.State, of func() string) func(entry string) error {
	return func(entry string) error {
		column := currentColumn(s, of())
		if column == nil {
			return nil // the variable is what is wrong
		}
		if _, ok := column.Categories().CodeOf(entry); !ok {
			return fmt.Errorf("%s has no category %q", column.Name(), entry)
		}
		return nil
	}
}
