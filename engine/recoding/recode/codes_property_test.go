package recode_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// written returns the data written to and read from a file of a format, with some values read separately.
func written(t *rapid.T, data *microdata.Dataset, f fileio.Format, declared string) *microdata.Dataset {
	var file bytes.Buffer
	if _, err := fileio.WriteTo(context.Background(), &file, data, f, fileio.WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	f.Options = map[string]string{"missing": declared}
	data, _, err := fileio.ReadBytes(context.Background(), "x."+f.Type, file.Bytes(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// surveyFile returns a variable of a file: codes 1 to 5 and declared missing 8 and 9, some with labels, 6 with a
// label and no record.
func surveyFile(tb testing.TB, t *rapid.T, f fileio.Format) *microdata.Dataset {
	codes := []string{"1", "2", "3", "4", "5", "8", "9", ""}
	cells := slices.Concat(codes, rapid.SliceOfN(rapid.SampledFrom(codes), 0, 8).Draw(t, "cells"))
	column := golden.Column(tb, "x", cells).WithDescription(&microdata.Description{Missing: []string{"8", "9"},
		Numbers: true,
		Labels:  map[string]string{"1": "Arden", "2": "Brisk", "3": "3", "6": "none", "8": "refused", "9": "not known"}})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	return written(t, data, f, f.Options["missing"])
}

// category is an expected category: the codes that it consists of, and the code that it represents, or "".
type category struct {
	members map[string]bool
	code    string
}

// followed is a variable with its expected categories.
type followed struct {
	source *microdata.Column
	data   *microdata.Dataset
	is     map[string]category
}

func (f *followed) column() *microdata.Column { return f.data.Columns()[0] }

// step applies a step if possible, and updates the expected categories.
func (f *followed) step(t *rapid.T) string {
	names := slices.Sorted(maps.Keys(f.is))
	label := rapid.SampledFrom([]string{"A", "B", "1", "2", "7", "2.0", "02", "-0", "05", ".a", "Arden"}).Draw(t, "label")
	level := rapid.SampledFrom(names).Draw(t, "level")
	several := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, min(3, len(names)), rapid.ID).Draw(t, "levels")
	missing := rapid.Bool().Draw(t, "missing too")
	steps := []method.Method{
		&recode.Rename{Variable: "x", Level: level, Label: label},
		&recode.Group{Variable: "x", Levels: several, Label: label, IncludeMissing: missing},
		&recode.Split{Variable: "x", Level: level},
		&recode.CodeLabels{Variable: "x"},
		&recode.CodeLabels{Variable: "x", Labels: level + "," + label},
		&recode.Order{Variable: "x", Levels: names},
	}
	m := steps[rapid.IntRange(0, len(steps)-1).Draw(t, "step")]
	out, err := method.Apply(context.Background(), m, method.Input{Data: f.data, Scenario: &microdata.Scenario{}}, nil)
	if err != nil {
		return ""
	}
	before := f.column()
	f.data = out.Data
	now := map[string]category{}
	for record := range f.source.Len() {
		name := f.column().Text(record)
		if name == "" {
			continue
		}
		if now[name].members == nil {
			now[name] = category{members: map[string]bool{}}
		}
		now[name].members[f.source.Text(record)] = true
	}
	for record := range f.source.Len() {
		was, name := before.Text(record), f.column().Text(record)
		is := now[name]
		one := len(is.members) == 1 && !is.members[""]
		_, err := strconv.ParseFloat(name, 64)
		_, labels := m.(*recode.CodeLabels)
		group, joined := m.(*recode.Group)
		switch before := f.is[was]; {
		case name == "":
			continue
		case joined && group.IncludeMissing && slices.Contains(group.Levels, was): // even if no record was missing
			is.code = ""
		case one && is.members[name]: // unchanged
			is.code = name
		case err == nil && !labels && name != was: // a different code
		case one && len(before.members) == 1:
			is.code = before.code
		}
		now[name] = is
	}
	f.is = now
	return fmt.Sprintf("%T %+v", m, m)
}

// After any renaming, labelling, grouping, splitting and ordering of categories: a renamed code is written with
// its code and its new name as the label, no two categories are written as one, and a merged category is written
// as a code of the file only if it has that name.
func TestCodesOfTheFileAfterRecodes(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		f := fileio.NewFormat()
		f.Type = rapid.SampledFrom([]string{"sav", "dta"}).Draw(t, "kind")
		f.Options = map[string]string{"missing": rapid.SampledFrom([]string{"missing", "apart"}).Draw(t, "declared")}
		data := surveyFile(tb, t, f)
		follow := followed{source: data.Columns()[0], data: data, is: map[string]category{}}
		for _, level := range follow.source.Categories().Levels {
			follow.is[level.Label] = category{map[string]bool{level.Label: true}, level.Label}
		}
		var done []string
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			done = append(done, follow.step(t))
		}
		follow.check(t, written(t, follow.data, f, "apart").Columns()[0], strings.Join(done, "\n"))
	})
}

func (f *followed) check(t *rapid.T, column *microdata.Column, done string) {
	as, from := map[string]string{}, map[string]string{}
	for record := range f.source.Len() {
		name, code := f.column().Text(record), column.Text(record)
		if name == "" {
			continue
		}
		if other, known := as[name]; known && other != code {
			t.Fatalf("%s\n%q is written as %s and %s", done, name, other, code)
		}
		if other, known := from[code]; known && other != name {
			t.Fatalf("%s\n%q and %q are written as %s", done, name, other, code)
		}
		as[name], from[code] = code, name
	}
	labels := column.Described().Labels
	for name, code := range as {
		is := f.is[name]
		number, err := strconv.ParseFloat(name, 64)
		switch {
		case is.code != "" && (code != is.code || name != code && labels[code] != name):
			t.Fatalf("%s\n%q, which stands for %s, is written as %s %q", done, name, is.code, code, labels[code])
		case is.code == "" && err != nil && (len(is.members) > 1 || !is.members[code]) &&
			slices.Contains([]string{"1", "2", "3", "4", "5", "6", "8", "9"}, code):
			t.Fatalf("%s\n%q, which is made of %v, is written as %s %q", done, name, is.members, code, labels[code])
		case is.code == "" && err != nil && labels[code] == "":
			t.Fatalf("%s\n%q is written as %s without a label", done, name, code)
		case is.code == "" && err == nil && code != fmt.Sprint(number+0) && labels[code] == "":
			t.Fatalf("%s\n%q is written as %s without a label", done, name, code)
		}
	}
}
