package paged

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// meets says of records of a piece whether they meet a part of a filter.
type meets func(piece *microdata.Dataset) func(row int) bool

// holding is the sieve of records in memory.
type holding struct{}

var _ Sieve[meets] = holding{}

// Join returns what all or any of some parts say.
func (holding) Join(any bool, parts []meets) meets {
	return func(piece *microdata.Dataset) func(int) bool {
		of := make([]func(int) bool, len(parts))
		for i := range parts {
			of[i] = parts[i](piece)
		}
		return func(row int) bool {
			return slices.ContainsFunc(of, func(one func(int) bool) bool { return one(row) == any }) == any
		}
	}
}

// Not returns the contrary.
func (holding) Not(part meets) meets {
	return func(piece *microdata.Dataset) func(int) bool {
		of := part(piece)
		return func(row int) bool { return !of(row) }
	}
}

// Missing is met by cells without a value.
func (holding) Missing(variable string) meets {
	return func(piece *microdata.Dataset) func(int) bool {
		column, _ := piece.Column(variable)
		return column.Missing
	}
}

// Among is met by cells that are spelled as one of some texts.
func (holding) Among(variable string, texts []string) meets {
	known := map[string]bool{}
	for _, text := range texts {
		known[text] = true
	}
	return byText(variable, func(text []byte) bool { return known[string(text)] })
}

// Contains is met by cells that hold a text.
func (holding) Contains(variable, text string) meets {
	text = Lower(text)
	return byText(variable, func(of []byte) bool { return strings.Contains(Lower(string(of)), text) })
}

// byText asks the texts of cells; those of categories once each.
func byText(variable string, is func(text []byte) bool) meets {
	return func(piece *microdata.Dataset) func(int) bool {
		column, _ := piece.Column(variable)
		if column.StoredAsNumbers() != nil {
			var text []byte
			return func(row int) bool {
				text = column.AppendText(text[:0], row)
				return !column.Missing(row) && is(text)
			}
		}
		categories := column.Categories()
		of := make([]bool, len(categories.Levels)+1)
		for i := range categories.Levels {
			of[i+1] = is([]byte(categories.Levels[i].Label))
		}
		return func(row int) bool { return of[categories.Codes.At(row)] }
	}
}

// Compares is met by cells that are numbers for which one of the comparisons holds.
func (holding) Compares(variable, operator string, numbers []float64) meets {
	compares := map[string]func(x, y float64) bool{
		"=": func(x, y float64) bool { return x == y }, "!=": func(x, y float64) bool { return x != y },
		"<": func(x, y float64) bool { return x < y }, "<=": func(x, y float64) bool { return x <= y },
		">": func(x, y float64) bool { return x > y }, ">=": func(x, y float64) bool { return x >= y },
	}[operator]
	return func(piece *microdata.Dataset) func(int) bool {
		column, _ := piece.Column(variable)
		return func(row int) bool {
			return !column.Missing(row) &&
				slices.ContainsFunc(numbers, func(number float64) bool { return compares(column.Float(row), number) })
		}
	}
}
