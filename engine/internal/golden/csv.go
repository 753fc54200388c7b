package golden

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Parse reads a CSV file with a header, or only the named variables. It is independent of package fileio, so that
// tests need not link it, but makes the same dataset: a test of fileio compares the two.
func Parse(tb testing.TB, file io.Reader, names ...string) *microdata.Dataset {
	tb.Helper()
	gathered, err := readCSV(file, names)
	if err != nil {
		tb.Fatal(err)
	}
	columns := make([]*microdata.Column, len(gathered))
	for i, g := range gathered {
		columns[i] = g.column()
	}
	data, err := microdata.NewDataset(columns)
	if err == nil && len(names) > 0 {
		data, err = microdata.NewDataset(Columns(data, names...))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Column returns a column with the given cells, typed as by Data.
func Column(tb testing.TB, name string, cells []string) *microdata.Column {
	tb.Helper()
	var text bytes.Buffer
	file := csv.NewWriter(&text)
	rows := [][]string{{name, "end of line"}}
	for _, cell := range cells {
		rows = append(rows, []string{cell, "1"})
	}
	if err := file.WriteAll(rows); err != nil {
		tb.Fatal(err)
	}
	return Parse(tb, &text).Columns()[0]
}

// textColumn holds the cells of a variable as codes of distinct texts; 0 is missing.
type textColumn struct {
	name  string
	place int // index in a record
	codes []uint32
	texts []string
	of    map[string]uint32
}

// readCSV reads the named variables, or all if none is named.
func readCSV(file io.Reader, names []string) (out []*textColumn, err error) {
	records := csv.NewReader(bufio.NewReaderSize(file, 1<<16))
	records.ReuseRecord = true
	header, err := records.Read()
	for i, name := range header {
		if len(names) == 0 || slices.Contains(names, name) {
			out = append(out, &textColumn{name: name, place: i, of: map[string]uint32{"": 0}})
		}
	}
	for err == nil {
		var record []string
		if record, err = records.Read(); err == nil {
			for _, g := range out {
				g.add(record[g.place])
			}
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return out, err
}

func (g *textColumn) add(cell string) {
	code, known := g.of[cell]
	if !known {
		g.texts = append(g.texts, strings.Clone(cell))
		code = uint32(len(g.texts))
		g.of[g.texts[code-1]] = code
	}
	g.codes = append(g.codes, code)
}

// mostLevels is the maximum number of distinct numbers stored as levels.
const mostLevels = 4096

// column returns the variable, numeric if all its cells are numbers.
func (g *textColumn) column() *microdata.Column {
	levels, decimals, ok := g.numbers()
	if !ok {
		for i, text := range g.texts {
			levels[i] = microdata.Level{Label: text, Value: math.NaN()}
		}
		out := g.categories(levels, func(a, b microdata.Level) int { return strings.Compare(a.Label, b.Label) })
		return microdata.NewCategorical(g.name, microdata.Category, out.Chronological())
	}
	if len(levels) <= mostLevels {
		out := g.categories(levels, func(a, b microdata.Level) int { return cmp.Compare(a.Value, b.Value) })
		out.Ordered = true
		return microdata.NewCategorical(g.name, kindOf(out.Levels), out)
	}
	values := make([]float64, len(g.codes))
	for record, code := range g.codes {
		if values[record] = math.NaN(); code > 0 {
			values[record] = levels[code-1].Value
		}
	}
	return microdata.NewNumeric(g.name, kindOf(levels), &microdata.Numbers{Values: values, Decimals: decimals})
}

// kindOf returns Whole if all levels are integers without decimals, else Number.
func kindOf(levels []microdata.Level) microdata.Kind {
	if slices.ContainsFunc(levels, func(l microdata.Level) bool {
		return strings.Contains(l.Label, ".") || l.Value != math.Trunc(l.Value)
	}) {
		return microdata.Number
	}
	return microdata.Whole
}

var number = regexp.MustCompile(`^-?(?:(?:0|[1-9][0-9]*)(\.[0-9]+)?|(\.[0-9]+))([eE][-+]?[0-9]+)?$`)

// numbers returns the texts as numbers with their decimals; ok is false if one is not a number.
func (g *textColumn) numbers() (levels []microdata.Level, decimals uint8, ok bool) {
	levels = make([]microdata.Level, len(g.texts))
	for i, text := range g.texts {
		parts := number.FindStringSubmatch(text)
		if parts == nil {
			return levels, 0, false
		}
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return levels, 0, false
		}
		levels[i] = microdata.Level{Label: text, Value: value}
		if own := uint8(max(0, len(parts[1]+parts[2])-1)); i == 0 {
			decimals = own
		} else if own != decimals || parts[3] != "" {
			decimals = microdata.Shortest
		}
	}
	return levels, decimals, len(levels) > 0
}

// categories returns the dictionary of the cells, given the level of each text and the order of levels. Equal
// levels are merged and labelled with the number.
func (g *textColumn) categories(levels []microdata.Level, compare func(a, b microdata.Level) int) *microdata.Categories {
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compare(levels[i], levels[j]) })
	mapping, out := make([]uint32, len(levels)+1), []microdata.Level{}
	for at, i := range order {
		if at > 0 && compare(levels[order[at-1]], levels[i]) == 0 {
			value := levels[i].Value + 0
			out[len(out)-1] = microdata.Level{Label: strconv.FormatFloat(value, 'f', -1, 64), Value: value}
		} else {
			out = append(out, levels[i])
		}
		mapping[i+1] = uint32(len(out))
	}
	return &microdata.Categories{Levels: out, Codes: microdata.CodesOf(g.codes).Mapped(len(out), mapping)}
}
