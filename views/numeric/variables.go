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

// knownPair identifies a pair of columns without keeping columns of discarded steps in memory.
type knownPair struct {
	now, before weak.Pointer[microdata.Column]
}

// pairFigures caches figures of pairs of columns, found one after the other. It keeps no columns of discarded
// steps in memory, and is emptied when it has many more pairs than are wanted.
type pairFigures[V any] struct {
	views.Cache[struct{}, map[knownPair]V]
}

// find returns the figure of a pair, if it is known.
func (f *pairFigures[V]) find(of profile.Versions) (found V, ok bool) {
	found, ok = (*f.For(struct{}{}))[knownOf(of)]
	return found, ok
}

// of returns the figure of a pair, a zero value if it is not known.
func (f *pairFigures[V]) of(pair profile.Versions) V {
	found, _ := f.find(pair)
	return found
}

// seek returns the piece of work that finds the unknown figures of as many pairs as time allows.
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

// correlation returns the correlation of a pair of columns.
func correlation(ctx context.Context, of profile.Versions) (float64, error) {
	return profile.Correlation(ctx, of.Now, of.Before)
}

// versionsOf returns the current and the original column of a variable.
func versionsOf(s views.State, name string) profile.Versions {
	return profile.Versions{Now: s.Current.Column(name), Before: s.Original.Column(name)}
}

// numericVariables returns the numeric key variables, then the other numeric variables of the file except removed
// ones and the household ID.
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

// numericVariable returns the selected variable if it is numeric, otherwise the first numeric one, or "" if there
// is none.
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

// nextChoice returns the choice after chosen, cyclically, or the one before it if the key is a capital letter.
func nextChoice(choices []string, chosen string, msg tea.KeyPressMsg) string {
	by := 1
	if msg.Text == strings.ToUpper(msg.Text) {
		by = len(choices) - 1
	}
	return choices[(max(0, slices.Index(choices, chosen))+by)%len(choices)]
}

// tails returns the key that switches between the whole range and the trimmed one.
func tails(whole *bool) views.KeyAction {
	return views.Handles("t", "show or hide tails", func() { *whole = !*whole })
}

// ranged returns the title, with a note if the whole range is shown.
func ranged(title string, whole bool) string {
	if whole {
		title += " · whole range"
	}
	return title
}

// versionNames are the names of the two versions of a variable; the zero value means now and original.
type versionNames struct{ now, before, inBefore string }

func (n versionNames) names() versionNames {
	if n.now == "" {
		return versionNames{"now", "original", "the original"}
	}
	return n
}

// noNumbers is shown if there is no numeric variable.
const noNumbers = "The file has no numeric variable."
