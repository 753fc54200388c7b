package numeric

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"weak"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
)

// knownPair stands for a pair in what is remembered of it, and keeps no column of a step
// that was let go.
type knownPair struct {
	now, before weak.Pointer[microdata.Column]
}

// pairFigures is what was found of pairs, one after the other. It keeps no column of a step
// that was let go, and forgets all where it knows many more pairs than are wanted.
type pairFigures[V any] struct {
	views.Cache[struct{}, map[knownPair]V]
}

// find returns what is known of a pair.
func (f *pairFigures[V]) find(of profile.Versions) (found V, ok bool) {
	found, ok = (*f.For(struct{}{}))[knownOf(of)]
	return found, ok
}

// of returns what is known of a pair; nothing where nothing is.
func (f *pairFigures[V]) of(pair profile.Versions) V {
	found, _ := f.find(pair)
	return found
}

// seek returns the piece of work that finds what is not known of pairs, of as many as there
// is time for.
func (f *pairFigures[V]) seek(
	wanted []profile.Versions, find func(ctx context.Context, of profile.Versions) (V, error),
) views.Piece {
	left := slices.DeleteFunc(slices.Clone(wanted), func(of profile.Versions) bool {
		_, known := f.find(of)
		return known
	})
	if len(left) == 0 {
		return nil
	}
	return f.Extend(struct{}{}, func(ctx context.Context, budget time.Duration) (func(*map[knownPair]V), error) {
		found, began := map[knownPair]V{}, time.Now()
		for i := 0; i < len(left) && (i == 0 || time.Since(began) <= budget); i++ {
			var err error
			if found[knownOf(left[i])], err = find(ctx, left[i]); err != nil {
				return nil, err
			}
		}
		return func(known *map[knownPair]V) {
			if len(*known) > 4*len(wanted)+64 || *known == nil {
				*known = map[knownPair]V{}
			}
			maps.Copy(*known, found)
		}, nil
	})
}

func knownOf(v profile.Versions) knownPair { return knownPair{weak.Make(v.Now), weak.Make(v.Before)} }

// correlation is that of two variables.
func correlation(ctx context.Context, of profile.Versions) (float64, error) {
	return profile.Correlation(ctx, of.Now, of.Before)
}

// versionsOf returns a variable as it is and as it was.
func versionsOf(s views.State, name string) profile.Versions {
	return profile.Versions{Now: s.Current.Column(name), Before: s.Original.Column(name)}
}

// numericVariables returns the numeric variables: the numeric keys, then those of
// the file without direct identifiers and the identifier of households.
func numericVariables(s views.State) []string {
	if s.Scenario == nil || s.Current.Data == nil || s.Original.Data == nil {
		return nil
	}
	fits := func(name string) bool {
		of := versionsOf(s, name)
		return of.Known() && of.Now.Numeric() && of.Before.Numeric()
	}
	var names []string
	for _, name := range s.Scenario.Numeric {
		if fits(name) {
			names = append(names, name)
		}
	}
	for _, column := range s.Current.Data.Columns() {
		name := column.Name()
		if name != s.Scenario.Household && !slices.Contains(s.Scenario.Remove, name) &&
			!slices.Contains(s.Scenario.Numeric, name) && fits(name) {
			names = append(names, name)
		}
	}
	return names
}

// numericVariable returns the selected variable if it is one of numbers, else the
// first one; "" where there is none.
func numericVariable(s views.State) string {
	names := numericVariables(s)
	switch {
	case len(names) == 0:
		return ""
	case slices.Contains(names, s.Selected.Variable):
		return s.Selected.Variable
	}
	return names[0]
}

// turned returns the choice behind one in a ring, or before it where the key is a
// capital letter.
func nextChoice(choices []string, chosen string, msg tea.KeyPressMsg) string {
	by := 1
	if msg.Text == strings.ToUpper(msg.Text) {
		by = len(choices) - 1
	}
	return choices[(max(0, slices.Index(choices, chosen))+by)%len(choices)]
}

// tails is the key that turns between the whole range of numbers and that without the
// outermost half percents.
func tails(whole *bool) views.KeyAction {
	return views.Handles("t", "with tails, without", func() { *whole = !*whole })
}

// ranged returns a title that says so where the whole range is shown.
func ranged(title string, whole bool) string {
	if whole {
		title += " · whole range"
	}
	return title
}

// versionNames are what the two versions of a variable are called; of the zero value
// now and original.
type versionNames struct{ now, before, inBefore string }

func (n versionNames) names() versionNames {
	if n.now == "" {
		return versionNames{"now", "original", "the original"}
	}
	return n
}

// noNumbers stands in the place of what is told of numbers.
const noNumbers = "The file has no numeric variable."
